import java.lang.reflect.Field;

/**
 * Starts DynamoDB Local on the loopback address. Its own launcher listens on every address of the machine and has no
 * option for that, which would put the table, with no credentials asked, before everyone on the same network.
 */
public final class LoopbackDynamoDb {
  public static void main(String[] arguments) throws Exception {
    Class<?> runner = Class.forName("software.amazon.dynamodb.services.local.main.ServerRunner");
    Object proxy = runner.getMethod("createServerFromCommandLineArgs", String[].class).invoke(null, (Object) arguments);
    Field serverField = proxy.getClass().getDeclaredField("server");
    serverField.setAccessible(true);
    Object server = serverField.get(proxy);
    Object[] connectors = (Object[]) server.getClass().getMethod("getConnectors").invoke(server);
    for (Object connector : connectors) {
      connector.getClass().getMethod("setHost", String.class).invoke(connector, "127.0.0.1");
    }
    proxy.getClass().getMethod("start").invoke(proxy);
    proxy.getClass().getMethod("join").invoke(proxy);
  }
}
