import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteJob;
import com.almworks.sqlite4java.SQLiteQueue;
import com.almworks.sqlite4java.SQLiteStatement;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import software.amazon.dynamodb.services.local.shared.access.LocalDBUtils;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccess;
import software.amazon.dynamodb.services.local.shared.access.sqlite.TableSchemaInfo;
import software.amazon.dynamodb.services.local.shared.mapper.DynamoDbObjectMapper;
import software.amazon.dynamodb.services.local.shared.model.AttributeValue;

/**
 * `POST /fill/<table>` puts items, one on each line in DynamoDB's JSON, into a table that has no stream yet. BatchWriteItem
 * asks for the table, looks for a former item and commits for each of its items, which takes ten times as long. Rows are made
 * of items by DynamoDB Local's own function, so they are those that BatchWriteItem would have written. Every other request
 * goes on to DynamoDB Local.
 */
final class BulkFill extends Handler.Wrapper {
  private static final String PATH = "/fill/";
  private static final int ROWS_PER_COMMIT = 1_000;

  private final SQLiteDBAccess access;
  private final SQLiteQueue queue;
  private final DynamoDbObjectMapper mapper = new DynamoDbObjectMapper();
  private final Method columnsOf;

  private record Row(Map<String, byte[]> columns, long size) {}

  BulkFill(Handler next, SQLiteDBAccess access, SQLiteQueue queue) throws ReflectiveOperationException {
    super(next);
    this.access = access;
    this.queue = queue;
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
      fill(path.substring(PATH.length()), lines);
      response.setStatus(204);
      callback.succeeded();
    } catch (Exception failure) {
      response.setStatus(500);
      response.write(true, ByteBuffer.wrap(failure.toString().getBytes(StandardCharsets.UTF_8)), callback);
    }
    return true;
  }

  private void fill(String table, BufferedReader lines) throws Exception {
    TableSchemaInfo schema = schemaOf(table);
    String hash = schema.getHashKeyDefinition().attributeName();
    String range = schema.getRangeKeyDefinition().attributeName();
    List<Row> rows = new ArrayList<>(ROWS_PER_COMMIT);
    // While some rows are written the next ones are read.
    SQLiteJob<Void> writing = put(table, List.of());
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Map<String, AttributeValue> item = mapper.readValue(line, DynamoDbObjectMapper.ITEM_TYPE);
      @SuppressWarnings("unchecked")
      Map<String, byte[]> columns =
          (Map<String, byte[]>) columnsOf.invoke(access, item, schema, item.get(hash), item.get(range));
      rows.add(new Row(columns, LocalDBUtils.getItemSizeBytes(item)));
      if (rows.size() < ROWS_PER_COMMIT) continue;
      writing.get();
      writing = put(table, rows);
      rows = new ArrayList<>(ROWS_PER_COMMIT);
    }
    writing.get();
    put(table, rows).get();
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
    // Statements are kept by their text; there are as many as combinations of indexes that an item may stand in.
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

  /** On the thread that the database belongs to. */
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
