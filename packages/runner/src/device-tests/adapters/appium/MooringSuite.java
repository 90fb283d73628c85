import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.Test;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.RunWith;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs the classes of a suite with its JUnit 4, and prints results in lines that start with a mark, which only the runner
 * knows. Arguments: the mark, a file with class names, and optionally a file with the tests to run as "class method".
 */
public class MooringSuite extends RunListener {
  private final String mark;
  private long started;
  private Failure failure;
  private boolean isSkipped;

  MooringSuite(String mark) {
    this.mark = mark;
  }

  private static String encode(String text) {
    return "." + Base64.getEncoder().encodeToString((text == null ? "" : text).getBytes(StandardCharsets.UTF_8));
  }

  private void print(String... words) {
    // One call, so that concurrent output of tests can't split the line.
    System.out.println(System.lineSeparator() + mark + " " + String.join(" ", words));
    System.out.flush();
  }

  private static String nameOf(Description test) {
    return test.getMethodName() == null ? "(class)" : test.getMethodName();
  }

  private void end(Description test, String status, Throwable error) {
    StringWriter stack = new StringWriter();
    if (error != null) error.printStackTrace(new PrintWriter(stack));
    String milliseconds = Long.toString((System.nanoTime() - started) / 1_000_000);
    String message = error == null ? "" : error.toString();
    print("ended", encode(test.getClassName()), encode(nameOf(test)), status, milliseconds, encode(message), encode(stack.toString()));
  }

  @Override
  public void testStarted(Description test) {
    failure = null;
    isSkipped = false;
    started = System.nanoTime();
    print("started", encode(test.getClassName()), encode(nameOf(test)));
  }

  @Override
  public void testFailure(Failure found) {
    if (found.getDescription().isTest()) {
      if (failure == null) failure = found;
    } else {
      // A failure of the class, outside of its tests.
      started = System.nanoTime();
      end(found.getDescription(), "failed", found.getException());
    }
  }

  @Override
  public void testAssumptionFailure(Failure found) {
    failure = found;
    isSkipped = true;
  }

  @Override
  public void testIgnored(Description test) {
    started = System.nanoTime();
    end(test, "skipped", null);
  }

  @Override
  public void testFinished(Description test) {
    String status = failure == null ? "passed" : isSkipped ? "skipped" : "failed";
    end(test, status, failure == null ? null : failure.getException());
  }

  private static boolean hasTests(Class<?> type) {
    if (Modifier.isAbstract(type.getModifiers())) return false;
    if (junit.framework.Test.class.isAssignableFrom(type)) return true;
    for (Class<?> one = type; one != null; one = one.getSuperclass()) {
      if (one.isAnnotationPresent(RunWith.class)) return true;
      for (Method method : one.getDeclaredMethods()) if (method.isAnnotationPresent(Test.class)) return true;
    }
    return false;
  }

  private static Filter only(Set<String> selected) {
    return new Filter() {
      @Override
      public boolean shouldRun(Description description) {
        if (description.isTest()) return selected.contains(description.getClassName() + " " + nameOf(description));
        return description.getChildren().stream().anyMatch(this::shouldRun);
      }

      @Override
      public String describe() {
        return "the selected tests";
      }
    };
  }

  public static void main(String[] args) throws Exception {
    List<Class<?>> types = new ArrayList<>();
    for (String name : Files.readAllLines(Path.of(args[1]))) {
      Class<?> type = Class.forName(name, false, MooringSuite.class.getClassLoader());
      if (hasTests(type)) types.add(type);
    }
    MooringSuite suite = new MooringSuite(args[0]);
    JUnitCore core = new JUnitCore();
    core.addListener(suite);
    Request request = Request.classes(types.toArray(new Class<?>[0]));
    if (args.length > 2) request = request.filterWith(only(new HashSet<>(Files.readAllLines(Path.of(args[2])))));
    core.run(request);
    suite.print("done", Integer.toString(types.size()));
    System.exit(0);
  }
}
