import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteException;
import com.almworks.sqlite4java.SQLiteJob;
import com.almworks.sqlite4java.SQLiteQueue;
import com.almworks.sqlite4java.SQLiteStatement;
import java.io.File;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;

/** The database file: its settings, its check and its size. */
final class Storage {
  /** The log is merged into the database when it is this large. */
  private static final long LOG_LIMIT_BYTES = 32L << 20;
  private static final long LOG_CHECK_MS = 5_000;
  /** DynamoDB Local deletes both only when it opens the database. */
  private static final long EXPIRY_PERIOD_MS = 600_000;
  private static final long TRANSACTION_TOKEN_MS = 600_000;
  private static final long STREAM_RECORD_MS = 86_400_000;

  private final SQLiteQueue queue;
  private final ReadWriteLock transactions;

  Storage(SQLiteQueue queue, ReadWriteLock transactions) {
    this.queue = queue;
    this.transactions = transactions;
  }

  /**
   * By default, SQLite writes a rollback journal and waits for the disk twice per item. A write-ahead log needs neither:
   * committed data is in the page cache, which survives a kill of this process. Only a power failure can lose the last
   * writes. A database in memory is not affected.
   */
  void commitWithoutWaiting() throws Exception {
    // No other process opens the file, and locking it for every item takes as long as writing the item.
    String journal = "PRAGMA journal_mode = " + System.getProperty("journal", "WAL");
    inDatabase(
        connection -> {
          connection.exec("PRAGMA locking_mode = EXCLUSIVE");
          connection.exec(journal);
          connection.exec("PRAGMA synchronous = OFF");
          connection.exec("PRAGMA journal_size_limit = 0");
          return null;
        });
  }

  /** Fails if the file is damaged. Otherwise gives the space of deleted rows back, if that is a quarter of the file. */
  void checkAndCompact() throws Exception {
    inDatabase(
        connection -> {
          String found = textOf(connection, "PRAGMA quick_check(1)");
          if (!found.equals("ok")) throw new IllegalStateException(found);
          mergeLog(connection);
          long free = numberOf(connection, "PRAGMA freelist_count");
          if (free * 4 <= numberOf(connection, "PRAGMA page_count")) return null;
          connection.exec("VACUUM");
          return mergeLog(connection);
        });
  }

  /** Keeps the log and the rows that only DynamoDB Local itself uses from growing as long as it runs. */
  void keepSmall(File database) {
    File log = new File(database.getPath() + "-wal");
    Thread thread =
        new Thread(
            () -> {
              long expireAt = System.currentTimeMillis() + EXPIRY_PERIOD_MS;
              for (; ; ) {
                try {
                  Thread.sleep(LOG_CHECK_MS);
                  if (System.currentTimeMillis() >= expireAt) {
                    expireAt = System.currentTimeMillis() + EXPIRY_PERIOD_MS;
                    exclusively(Storage::deleteExpired);
                  }
                  if (log.length() > LOG_LIMIT_BYTES) exclusively(Storage::mergeLog);
                } catch (InterruptedException stopped) {
                  return;
                } catch (Exception failure) {
                  System.err.println("The log was not merged: " + failure);
                }
              }
            },
            "storage");
    thread.setDaemon(true);
    thread.start();
  }

  private static Void deleteExpired(SQLiteConnection connection) throws Exception {
    long now = System.currentTimeMillis();
    connection.exec("DELETE FROM tr WHERE CreationDateTime < " + (now - TRANSACTION_TOKEN_MS));
    connection.exec("DELETE FROM us WHERE CreationDateTime < " + (now - STREAM_RECORD_MS));
    return null;
  }

  /**
   * SQLite refuses while a statement of the connection is open, and DynamoDB Local leaves statements open after their last
   * row. No request uses them: a request reads all rows within one job. The next write truncates the log; the bundled version
   * of SQLite cannot do it otherwise.
   */
  private static Void mergeLog(SQLiteConnection connection) throws Exception {
    for (Object statement : List.copyOf((List<?>) valueOf(connection, "myStatements"))) {
      ((SQLiteStatement) statement).reset(false);
    }
    connection.exec("PRAGMA wal_checkpoint(RESTART)");
    connection.exec("PRAGMA user_version = 1");
    return null;
  }

  /** A transaction of a request is several jobs in the queue, and holds this lock from the first to the last. */
  private void exclusively(Work<Void> work) throws Exception {
    transactions.writeLock().lock();
    try {
      inDatabase(work);
    } finally {
      transactions.writeLock().unlock();
    }
  }

  interface Work<T> {
    T with(SQLiteConnection connection) throws Exception;
  }

  /** Runs on the thread that owns the database. */
  private <T> T inDatabase(Work<T> work) throws Exception {
    return queue
        .execute(
            new SQLiteJob<T>() {
              @Override
              protected T job(SQLiteConnection connection) throws Exception {
                return work.with(connection);
              }
            })
        .get();
  }

  private static String textOf(SQLiteConnection connection, String query) throws SQLiteException {
    SQLiteStatement statement = connection.prepare(query, false);
    try {
      return statement.step() ? statement.columnString(0) : "";
    } finally {
      statement.dispose();
    }
  }

  private static long numberOf(SQLiteConnection connection, String query) throws SQLiteException {
    return Long.parseLong(textOf(connection, query));
  }

  static Object valueOf(Object owner, String name) throws ReflectiveOperationException {
    for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!field.getName().equals(name)) continue;
        field.setAccessible(true);
        return field.get(owner);
      }
    }
    throw new NoSuchFieldException(owner.getClass().getName() + " has no " + name);
  }
}
