import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import software.amazon.dynamodb.services.local.shared.access.StreamInfo;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccess;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccessJob;
import software.amazon.dynamodb.services.local.shared.access.sqlite.TableSchemaInfo;
import software.amazon.dynamodb.services.local.shared.mapper.DynamoDbObjectMapper;

/**
 * Reads the description of a table once for every text of it. DynamoDB Local keeps it as JSON in its database and parses it
 * three times for each item that is written, which is a third of all it does. A change of indexes by UpdateTable and
 * UpdateTimeToLive change the object that they have read, so they are not for a server that was started like this.
 */
final class SchemaCache<T> extends JsonDeserializer<T> {
  private record Known<T>(byte[] text, T description) {}

  private final Class<T> type;
  private final ObjectMapper plain = new DynamoDbObjectMapper();
  /** A few: to compare them is quicker than to compute a hash of them all. */
  private final List<Known<T>> known = new ArrayList<>();

  private SchemaCache(Class<T> type) {
    this.type = type;
  }

  static void install() throws ReflectiveOperationException {
    for (Class<?> reader : new Class<?>[] {SQLiteDBAccess.class, SQLiteDBAccessJob.class}) {
      Field field = reader.getDeclaredField("MAPPER");
      field.setAccessible(true);
      SimpleModule module = new SimpleModule("descriptions, parsed once");
      module.addDeserializer(TableSchemaInfo.class, new SchemaCache<>(TableSchemaInfo.class));
      module.addDeserializer(StreamInfo.class, new SchemaCache<>(StreamInfo.class));
      ((ObjectMapper) field.get(null)).registerModule(module);
    }
  }

  /** The parser has read the opening brace and holds the rest. */
  @Override
  public synchronized T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
    ByteArrayOutputStream rest = new ByteArrayOutputStream(4096);
    rest.write('{');
    parser.releaseBuffered(rest);
    byte[] text = rest.toByteArray();
    for (Known<T> one : known) if (Arrays.equals(one.text(), text)) return one.description();
    T description = plain.readValue(text, type);
    known.add(new Known<>(text, description));
    return description;
  }
}
