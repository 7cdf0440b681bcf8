import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/**
 * A single node of OpenSearch for tests, from its own libraries: Maven carries them, but not its distribution.
 * Words: folder of its data, port. Ends with its standard input, so that it never outlives the tests.
 */
public final class SearchNode {
  /** The constructor that takes plugins from the class path is not public. */
  private static final class Single extends Node {
    Single(Environment environment) {
      super(environment, List.of(Netty4Plugin.class), true);
    }
  }

  public static void main(String[] words) throws Exception {
    Settings settings = Settings.builder()
      .put("path.home", words[0])
      .put("http.port", words[1])
      .put("transport.port", "0")
      .put("network.host", "127.0.0.1")
      .put("http.type", Netty4Plugin.NETTY_HTTP_TRANSPORT_NAME)
      .put("transport.type", Netty4Plugin.NETTY_TRANSPORT_NAME)
      .put("discovery.type", "single-node")
      .put("cluster.routing.allocation.disk.threshold_enabled", false)
      .put("node.processors", 1)
      .build();
    Environment environment = InternalSettingsPreparer.prepareEnvironment(
      settings, Map.of(), Path.of(words[0], "config"), () -> "castellan-test");
    try (Node node = new Single(environment)) {
      node.start();
      System.out.println("ready");
      while (System.in.read() >= 0) {
        // Until the tests end.
      }
    }
    System.exit(0);
  }
}
