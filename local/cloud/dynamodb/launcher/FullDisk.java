import java.io.File;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Refuses writes before the disk is full. DynamoDB Local acknowledges a transaction before it is committed, so on a full disk
 * it would acknowledge changes that are lost.
 */
final class FullDisk extends Handler.Wrapper {
  private static final Set<String> READS = Set.of("GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan");
  private static final String REFUSAL =
      "{\"__type\":\"com.amazonaws.dynamodb.v20120810#InternalServerError\","
          + "\"message\":\"The disk of the data folder is full.\"}";

  private final File folder;
  private final long reserveBytes;

  FullDisk(Handler next, File folder, long reserveBytes) {
    super(next);
    this.folder = folder;
    this.reserveBytes = reserveBytes;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (!isWrite(request) || folder.getUsableSpace() >= reserveBytes) return super.handle(request, response, callback);
    response.setStatus(500);
    response.getHeaders().put("content-type", "application/x-amz-json-1.0");
    response.write(true, ByteBuffer.wrap(REFUSAL.getBytes(StandardCharsets.UTF_8)), callback);
    return true;
  }

  private static boolean isWrite(Request request) {
    String target = request.getHeaders().get("X-Amz-Target");
    if (target == null || !target.startsWith("DynamoDB_")) return false;
    String operation = target.substring(target.indexOf('.') + 1);
    return !READS.contains(operation) && !operation.startsWith("Describe") && !operation.startsWith("List");
  }
}
