import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteJob;
import com.almworks.sqlite4java.SQLiteQueue;
import com.almworks.sqlite4java.SQLiteStatement;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * `GET /export/<table>` returns every row of a table as it is at one moment, in the lines of DynamoDB's export to S3. A Scan takes
 * seconds, in which transactions change rows that it has read and rows that it has not. Here one job reads all rows, and no
 * transaction is in progress. All other requests are passed on to DynamoDB Local.
 */
final class TableExport extends Handler.Wrapper {
  private static final String PATH = "/export/";
  private static final byte[] BEFORE = "{\"Item\":".getBytes(StandardCharsets.UTF_8);
  private static final byte[] AFTER = "}\n".getBytes(StandardCharsets.UTF_8);

  private final SQLiteQueue queue;
  private final Lock noTransaction;

  TableExport(Handler next, SQLiteQueue queue, ReadWriteLock transactions) {
    super(next);
    this.queue = queue;
    this.noTransaction = transactions.readLock();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String path = Request.getPathInContext(request);
    if (!path.startsWith(PATH)) return super.handle(request, response, callback);
    String table = path.substring(PATH.length());
    byte[] rows = export(table);
    if (rows == null) {
      response.setStatus(404);
      rows = ("There is no table " + table + ".").getBytes(StandardCharsets.UTF_8);
    } else {
      response.getHeaders().put("content-encoding", "gzip");
    }
    response.write(true, ByteBuffer.wrap(rows), callback);
    return true;
  }

  /** Compressed, because they are in memory until the client has read them. Null if there is no such table. */
  private byte[] export(String table) throws Exception {
    noTransaction.lock();
    try {
      SQLiteJob<byte[]> reading =
          queue.execute(
              new SQLiteJob<byte[]>() {
                @Override
                protected byte[] job(SQLiteConnection connection) throws Exception {
                  return exists(connection, table) ? rowsOf(connection, table) : null;
                }
              });
      return reading.get();
    } finally {
      noTransaction.unlock();
    }
  }

  private static boolean exists(SQLiteConnection connection, String table) throws Exception {
    SQLiteStatement found = connection.prepare("SELECT 1 FROM dm WHERE TableName = ?");
    try {
      return found.bind(1, table).step();
    } finally {
      found.dispose();
    }
  }

  private static byte[] rowsOf(SQLiteConnection connection, String table) throws Exception {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream(1 << 20);
    SQLiteStatement rows = connection.prepare("SELECT ObjectJSON FROM \"" + table + "\"");
    try (OutputStream lines = new GZIPOutputStream(compressed, 1 << 16)) {
      while (rows.step()) {
        lines.write(BEFORE);
        lines.write(rows.columnBlob(0));
        lines.write(AFTER);
      }
    } finally {
      rows.dispose();
    }
    return compressed.toByteArray();
  }
}
