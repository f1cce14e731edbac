import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteException;
import com.almworks.sqlite4java.SQLiteJob;
import java.io.File;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandler;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.*;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.local.server.DynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;
import software.amazon.dynamodb.services.local.shared.access.LocalDBClient;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccess;
import software.amazon.dynamodb.services.local.shared.jobs.JobsRegister;

/**
 * Starts DynamoDB Local on a free port of the loopback address, with the database file of its first argument, or in memory. Its own
 * launcher listens on every address, which would open the table to the network, and has no option against that.
 */
public final class LoopbackDynamoDb {
  public static void main(String[] arguments) {
    try {
      var database = arguments.length == 0 ? new SQLiteDBAccess() : new Database(new File(arguments[0]));
      var jobs = new JobsRegister(Executors.newFixedThreadPool(10), false);
      var server = new Server(new InetSocketAddress("127.0.0.1", 0));
      var requests = new Requests(new LocalDBClient(database, jobs));
      server.setHandler(new ContextHandler(new LocalDynamoDBServerHandler(requests, null)));
      server.start();
      System.out.println("LISTENING: " + ((ServerConnector) server.getConnectors()[0]).getLocalPort());
    } catch (Throwable failure) {
      // Threads of DynamoDB Local would keep the process running.
      failure.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  /**
   * By default, SQLite waits for the disk twice per written item. Without that, committed data is in the page cache, which survives
   * a kill of this process; only a power failure can lose the last writes.
   */
  private static final class Database extends SQLiteDBAccess {
    Database(File file) throws Exception {
      super(file);
      queue
          .execute(
              new SQLiteJob<Void>() {
                @Override
                protected Void job(SQLiteConnection connection) throws SQLiteException {
                  connection.exec("PRAGMA synchronous = OFF");
                  return null;
                }
              })
          .get();
    }
  }

  /** Passes every request on. Only a handler of our own takes a database of our own. */
  private static final class Requests extends DynamoDBRequestHandler {
    private final LocalDBClient database;
    private final DynamoDbClient tables;
    private final DynamoDbStreamsClient streams;

    Requests(LocalDBClient database) {
      super(0);
      this.database = database;
      this.tables = database.dynamoDbClient();
      this.streams = database.dynamoDbStreamsClient();
    }

    public void shutdown() { database.shutdown(); }
    public BatchExecuteStatementResponse batchExecuteStatement(String key, String region, BatchExecuteStatementRequest input) { return tables.batchExecuteStatement(input); }
    public BatchGetItemResponse batchGetItem(String key, String region, BatchGetItemRequest input) { return tables.batchGetItem(input); }
    public BatchWriteItemResponse batchWriteItem(String key, String region, BatchWriteItemRequest input) { return tables.batchWriteItem(input); }
    public CreateTableResponse createTable(String key, String region, CreateTableRequest input) { return tables.createTable(input); }
    public DeleteItemResponse deleteItem(String key, String region, DeleteItemRequest input) { return tables.deleteItem(input); }
    public DeleteTableResponse deleteTable(String key, String region, DeleteTableRequest input) { return tables.deleteTable(input); }
    public DescribeLimitsResponse describeLimits(String key, String region, DescribeLimitsRequest input) { return tables.describeLimits(input); }
    public DescribeTableResponse describeTable(String key, String region, DescribeTableRequest input) { return tables.describeTable(input); }
    public DescribeTimeToLiveResponse describeTimeToLive(String key, String region, DescribeTimeToLiveRequest input) { return tables.describeTimeToLive(input); }
    public ExecuteStatementResponse executeStatement(String key, String region, ExecuteStatementRequest input) { return tables.executeStatement(input); }
    public ExecuteTransactionResponse executeTransaction(String key, String region, ExecuteTransactionRequest input) { return tables.executeTransaction(input); }
    public GetItemResponse getItem(String key, String region, GetItemRequest input) { return tables.getItem(input); }
    public ListTablesResponse listTables(String key, String region, ListTablesRequest input) { return tables.listTables(input); }
    public ListTagsOfResourceResponse listTagsOfResource(String key, String region, ListTagsOfResourceRequest input) { return tables.listTagsOfResource(input); }
    public PutItemResponse putItem(String key, String region, PutItemRequest input) { return tables.putItem(input); }
    public QueryResponse query(String key, String region, QueryRequest input) { return tables.query(input); }
    public ScanResponse scan(String key, String region, ScanRequest input) { return tables.scan(input); }
    public TagResourceResponse tagResource(String key, String region, TagResourceRequest input) { return tables.tagResource(input); }
    public TransactGetItemsResponse transactGetItems(String key, String region, TransactGetItemsRequest input) { return tables.transactGetItems(input); }
    public TransactWriteItemsResponse transactWriteItems(String key, String region, TransactWriteItemsRequest input) { return tables.transactWriteItems(input); }
    public UntagResourceResponse untagResource(String key, String region, UntagResourceRequest input) { return tables.untagResource(input); }
    public UpdateItemResponse updateItem(String key, String region, UpdateItemRequest input) { return tables.updateItem(input); }
    public UpdateTableResponse updateTable(String key, String region, UpdateTableRequest input) { return tables.updateTable(input); }
    public UpdateTimeToLiveResponse updateTimeToLive(String key, String region, UpdateTimeToLiveRequest input) { return tables.updateTimeToLive(input); }
    public DescribeStreamResponse describeStream(String key, String region, DescribeStreamRequest input) { return streams.describeStream(input); }
    public GetRecordsResponse getRecords(String key, String region, GetRecordsRequest input) { return streams.getRecords(input); }
    public GetShardIteratorResponse getShardIterator(String key, String region, GetShardIteratorRequest input) { return streams.getShardIterator(input); }
    public ListStreamsResponse listStreams(String key, String region, ListStreamsRequest input) { return streams.listStreams(input); }
  }
}
