import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteJob;
import com.almworks.sqlite4java.SQLiteQueue;
import com.almworks.sqlite4java.SQLiteStatement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.dynamodb.services.local.shared.access.LocalDBUtils;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccess;
import software.amazon.dynamodb.services.local.shared.access.sqlite.TableSchemaInfo;
import software.amazon.dynamodb.services.local.shared.mapper.DynamoDbObjectMapper;
import software.amazon.dynamodb.services.local.shared.model.AttributeValue;

/**
 * `POST /fill/<table>` puts items, one per line in DynamoDB's JSON, into a table without a stream. BatchWriteItem looks up the
 * table and an existing item and commits for every item, which takes ten times as long. DynamoDB Local's own function turns
 * items into rows, so the rows are the same that BatchWriteItem would write. All other requests are passed on to
 * DynamoDB Local.
 */
final class BulkFill extends Handler.Wrapper {
  private static final String PATH = "/fill/";
  private static final int ROWS_PER_COMMIT = 1_000;

  private final SQLiteDBAccess access;
  private final SQLiteQueue queue;
  private final DynamoDbObjectMapper mapper = new DynamoDbObjectMapper();
  private final Lock noTransaction;
  private final Method columnsOf;

  private record Row(Map<String, byte[]> columns, long size) {}

  BulkFill(Handler next, SQLiteDBAccess access, SQLiteQueue queue, ReadWriteLock transactions)
      throws ReflectiveOperationException {
    super(next);
    this.access = access;
    this.queue = queue;
    this.noTransaction = transactions.readLock();
    this.columnsOf =
        SQLiteDBAccess.class.getDeclaredMethod(
            "sqliteColumnBindingsForAllAttributes",
            Map.class,
            TableSchemaInfo.class,
            AttributeValue.class,
            AttributeValue.class);
    columnsOf.setAccessible(true);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String path = Request.getPathInContext(request);
    if (!path.startsWith(PATH)) return super.handle(request, response, callback);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(Content.Source.asInputStream(request), StandardCharsets.UTF_8))) {
      String failure = tryToFill(path.substring(PATH.length()), lines);
      response.setStatus(failure.isEmpty() ? 204 : 400);
      response.write(true, ByteBuffer.wrap(failure.getBytes(StandardCharsets.UTF_8)), callback);
    }
    return true;
  }

  /** The error, sent after the whole request has arrived, because a client that is still sending does not read. */
  private String tryToFill(String table, BufferedReader lines) throws IOException {
    try {
      fill(table, lines);
      return "";
    } catch (Exception failure) {
      while (lines.readLine() != null) {}
      return failure.toString();
    }
  }

  /** Reads the next rows while others are written. */
  private void fill(String table, BufferedReader lines) throws Exception {
    TableSchemaInfo schema = schemaOf(table);
    List<Row> rows = read(schema, lines);
    while (!rows.isEmpty()) {
      // A transaction of another request is several jobs in the queue. This job must not run between them.
      noTransaction.lock();
      try {
        SQLiteJob<Void> writing = put(table, rows);
        try {
          rows = read(schema, lines);
        } finally {
          writing.get();
        }
      } finally {
        noTransaction.unlock();
      }
    }
  }

  private List<Row> read(TableSchemaInfo schema, BufferedReader lines) throws Exception {
    String hash = schema.getHashKeyDefinition().attributeName();
    AttributeDefinition range = schema.getRangeKeyDefinition();
    List<Row> rows = new ArrayList<>(ROWS_PER_COMMIT);
    while (rows.size() < ROWS_PER_COMMIT) {
      String line = lines.readLine();
      if (line == null) break;
      Map<String, AttributeValue> item = mapper.readValue(line, DynamoDbObjectMapper.ITEM_TYPE);
      AttributeValue sortKey = range == null ? null : item.get(range.attributeName());
      @SuppressWarnings("unchecked")
      Map<String, byte[]> columns =
          (Map<String, byte[]>) columnsOf.invoke(access, item, schema, item.get(hash), sortKey);
      rows.add(new Row(columns, LocalDBUtils.getItemSizeBytes(item)));
    }
    return rows;
  }

  private TableSchemaInfo schemaOf(String table) throws Exception {
    SQLiteJob<byte[]> text =
        inDatabase(
            connection -> {
              SQLiteStatement found = connection.prepare("SELECT TableInfo FROM dm WHERE TableName = ?");
              try {
                found.bind(1, table);
                if (!found.step()) throw new IllegalArgumentException("There is no table " + table + ".");
                return found.columnBlob(0);
              } finally {
                found.dispose();
              }
            });
    return mapper.readValue(text.get(), TableSchemaInfo.class);
  }

  private SQLiteJob<Void> put(String table, List<Row> rows) {
    return inDatabase(
        connection -> {
          connection.exec("BEGIN");
          try {
            for (Row row : rows) put(connection, table, row);
            connection.exec("COMMIT");
          } catch (Exception failure) {
            connection.exec("ROLLBACK");
            throw failure;
          }
          return null;
        });
  }

  private static void put(SQLiteConnection connection, String table, Row row) throws Exception {
    String names = String.join(",", row.columns().keySet());
    String values = "?,".repeat(row.columns().size());
    // Statements are cached by their text. There are as many as combinations of indexes that an item can be in.
    SQLiteStatement insert =
        connection.prepare("INSERT OR REPLACE INTO \"" + table + "\" (" + names + ",itemSize) VALUES (" + values + "?)");
    try {
      int position = 0;
      for (byte[] value : row.columns().values()) insert.bind(++position, value);
      insert.bind(++position, row.size());
      insert.step();
    } finally {
      insert.dispose();
    }
  }

  private interface Work<T> {
    T with(SQLiteConnection connection) throws Exception;
  }

  /** Runs on the thread that owns the database. */
  private <T> SQLiteJob<T> inDatabase(Work<T> work) {
    return queue.execute(
        new SQLiteJob<T>() {
          @Override
          protected T job(SQLiteConnection connection) throws Exception {
            return work.with(connection);
          }
        });
  }
}
