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
 * Parses each description of a table once. DynamoDB Local stores it as JSON in its database and parses it three times for every
 * written item, which is a third of its work. UpdateTimeToLive and index changes by UpdateTable modify the parsed object, which
 * tables of the same shape share. So do not change indexes, and expect the time to live of other tables to change too.
 */
final class SchemaCache<T> extends JsonDeserializer<T> {
  private record Known<T>(byte[] text, T description) {}

  private final Class<T> type;
  private final ObjectMapper plain = new DynamoDbObjectMapper();
  /** A short list: comparing a few texts is faster than hashing them. */
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

  /** The parser has already read the opening brace. */
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
