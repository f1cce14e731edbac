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
 * Starts DynamoDB Local on the loopback address, with writes several times as fast as with its own launcher. It has no option
 * for either, so this class uses private members by name. With a version that renames them, it fails to start instead of being
 * slow or open to the network.
 *
 * Compiled by compile.sh in this folder.
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

  /** The original launcher listens on every address, which would expose the table without authentication to the network. */
  private static void listenOnLoopback(Server server) {
    for (Connector connector : server.getConnectors()) ((ServerConnector) connector).setHost("127.0.0.1");
  }

  /** Opens the database before the first request. With -sharedDb there is only one, whatever its name. */
  private static SQLiteDBAccess openDatabase(DynamoDBProxyServer proxy) throws Exception {
    Object handler = valueOf(valueOf(proxy, "serverHandler"), "primaryHandler");
    Method open = handler.getClass().getDeclaredMethod("getHandler", String.class);
    open.setAccessible(true);
    Object client = open.invoke(handler, "");
    return (SQLiteDBAccess) valueOf(client, "dbAccess");
  }

  /**
   * By default, SQLite writes a rollback journal and waits for the disk twice per item. A write-ahead log needs neither:
   * committed data is in the page cache, which survives a kill of this process. Only a power failure can lose the last
   * writes. A database in memory is not affected.
   */
  private static void commitWithoutWaiting(SQLiteQueue queue) throws Exception {
    // No other process opens the file, and locking it for every item takes as long as writing the item.
    String journal = "PRAGMA journal_mode = " + System.getProperty("journal", "WAL");
    execute(queue, "PRAGMA locking_mode = EXCLUSIVE", journal, "PRAGMA synchronous = OFF");
    // Nothing else truncates the log: SQLite would do so after a write, but DynamoDB Local then still has open statements.
    // Only now no transaction is in progress.
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
