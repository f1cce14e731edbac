import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteJob;
import com.almworks.sqlite4java.SQLiteQueue;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.concurrent.locks.ReadWriteLock;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccess;

/**
 * Starts DynamoDB Local on the loopback address, and writing several times as fast as its own launcher would have it. For
 * neither it has an option, so its private parts are reached by their names: a version that names them otherwise does not
 * start, instead of being slow or open to the network.
 *
 * Compiled by compile.sh, beside this file.
 */
public final class LoopbackDynamoDb {
  public static void main(String[] arguments) throws Exception {
    SchemaCache.install();
    DynamoDBProxyServer proxy = ServerRunner.createServerFromCommandLineArgs(arguments);
    Server server = (Server) valueOf(proxy, "server");
    listenOnLoopback(server);
    SQLiteDBAccess database = openDatabase(proxy);
    SQLiteQueue queue = (SQLiteQueue) valueOf(database, "queue");
    commitWithoutWaiting(queue);
    ReadWriteLock transactions = (ReadWriteLock) valueOf(database, "queueLock");
    server.setHandler(new BulkFill(server.getHandler(), database, queue, transactions));
    proxy.start();
    proxy.join();
  }

  /** Its own launcher listens on every address, which would put the table, with no credentials asked, before everyone on the network. */
  private static void listenOnLoopback(Server server) {
    for (Connector connector : server.getConnectors()) ((ServerConnector) connector).setHost("127.0.0.1");
  }

  /** Opened here and not by the first request. With -sharedDb there is one, whatever name is asked for. */
  private static SQLiteDBAccess openDatabase(DynamoDBProxyServer proxy) throws Exception {
    Object handler = valueOf(valueOf(proxy, "serverHandler"), "primaryHandler");
    Method open = handler.getClass().getDeclaredMethod("getHandler", String.class);
    open.setAccessible(true);
    Object client = open.invoke(handler, "");
    return (SQLiteDBAccess) valueOf(client, "dbAccess");
  }

  /**
   * SQLite makes a rollback journal and waits for the disk twice with every item. Appending to a log it need do neither: what
   * was committed is in the system's hands, which keep it when this process is killed; only when the whole machine loses its
   * power may the last moments be lost. A database in memory is not affected.
   */
  private static void commitWithoutWaiting(SQLiteQueue queue) throws Exception {
    // Nobody else opens the file, and to lock it anew for every item takes as long as to write it.
    String journal = "PRAGMA journal_mode = " + System.getProperty("journal", "WAL");
    execute(queue, "PRAGMA locking_mode = EXCLUSIVE", journal, "PRAGMA synchronous = OFF");
    // Nothing else empties the log: SQLite would after a write, but DynamoDB Local then still has statements open. Only
    // now is nobody in the middle of a transaction.
    execute(queue, "PRAGMA wal_checkpoint(TRUNCATE)");
  }

  private static void execute(SQLiteQueue queue, String... statements) throws Exception {
    queue
        .execute(
            new SQLiteJob<Void>() {
              @Override
              protected Void job(SQLiteConnection connection) throws Exception {
                for (String statement : statements) connection.exec(statement);
                return null;
              }
            })
        .get();
  }

  private static Object valueOf(Object owner, String name) throws ReflectiveOperationException {
    for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!field.getName().equals(name)) continue;
        field.setAccessible(true);
        return field.get(owner);
      }
    }
    throw new NoSuchFieldException(owner.getClass().getName() + " has no " + name);
  }
}
