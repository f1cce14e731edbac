import com.almworks.sqlite4java.SQLiteQueue;
import java.io.File;
import java.lang.reflect.Method;
import java.util.concurrent.locks.ReadWriteLock;
import org.eclipse.jetty.server.Handler;
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
  /** The start of the line by which dynamodb-local.ts recognises a damaged database. */
  private static final String DAMAGED = "DAMAGED: ";

  /** The start of the line that tells dynamodb-local.ts the port. */
  private static final String LISTENING = "LISTENING: ";

  public static void main(String[] arguments) {
    try {
      run(arguments);
    } catch (Throwable failure) {
      // Threads of DynamoDB Local would keep the process running.
      failure.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void run(String[] arguments) throws Exception {
    SchemaCache.install();
    DynamoDBProxyServer proxy = ServerRunner.createServerFromCommandLineArgs(arguments);
    Server server = (Server) Storage.valueOf(proxy, "server");
    ServerConnector connector = (ServerConnector) server.getConnectors()[0];
    // The original launcher listens on every address, which would expose the table without authentication to the network.
    connector.setHost("127.0.0.1");
    // Any free port: a port that is chosen before the start could be taken by another process in the meantime.
    connector.setPort(0);
    File database = databaseOf(arguments);
    SQLiteDBAccess access = openChecked(proxy, database);
    SQLiteQueue queue = (SQLiteQueue) Storage.valueOf(access, "queue");
    ReadWriteLock transactions = (ReadWriteLock) Storage.valueOf(access, "queueLock");
    Handler handler = new BulkFill(server.getHandler(), access, queue, transactions);
    handler = new TableExport(handler, queue, transactions);
    if (database != null) {
      new Storage(queue, transactions).keepSmall(database);
      handler = new FullDisk(handler, database.getParentFile(), Long.getLong("reserve", 0));
    }
    server.setHandler(handler);
    proxy.start();
    System.out.println(LISTENING + connector.getLocalPort());
    proxy.join();
  }

  /** With -sharedDb there is one file. Without -dbPath the database is in memory. */
  private static File databaseOf(String[] arguments) {
    for (int index = 0; index + 1 < arguments.length; index++) {
      if (arguments[index].equals("-dbPath")) return new File(arguments[index + 1], "shared-local-instance.db");
    }
    return null;
  }

  /** A file that cannot be opened or has a wrong structure ends the start with one line. */
  private static SQLiteDBAccess openChecked(DynamoDBProxyServer proxy, File database) throws Exception {
    boolean isKept = database != null && database.exists();
    try {
      SQLiteDBAccess access = openDatabase(proxy);
      Storage storage =
          new Storage(
              (SQLiteQueue) Storage.valueOf(access, "queue"), (ReadWriteLock) Storage.valueOf(access, "queueLock"));
      storage.commitWithoutWaiting();
      if (isKept) storage.checkAndCompact();
      return access;
    } catch (Exception failure) {
      if (!isKept) throw failure;
      Throwable cause = failure;
      while (cause.getCause() != null) cause = cause.getCause();
      System.err.println(DAMAGED + String.valueOf(cause.getMessage()).lines().findFirst().orElse(""));
      Runtime.getRuntime().halt(1);
      throw failure;
    }
  }

  /** Opens the database before the first request, whatever its name. */
  private static SQLiteDBAccess openDatabase(DynamoDBProxyServer proxy) throws Exception {
    Object handler = Storage.valueOf(Storage.valueOf(proxy, "serverHandler"), "primaryHandler");
    Method open = handler.getClass().getDeclaredMethod("getHandler", String.class);
    open.setAccessible(true);
    Object client = open.invoke(handler, "");
    return (SQLiteDBAccess) Storage.valueOf(client, "dbAccess");
  }
}
