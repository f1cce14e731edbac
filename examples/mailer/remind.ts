import type { Gateline } from './gateline.ts';
import type { Mailer } from './mailer.ts';

interface Page {
  readonly data: readonly { readonly order_id: number; readonly due_unix: number }[];
  readonly next_cursor: string | null;
}

/**
 * No webhook says that an invoice is due, so somebody has to look once a day. Each order and due date is an event of our own, so a reminder
 * is sent once, however often this runs. Returns the events to work on.
 */
export async function remind(gateline: Gateline, mailer: Mailer): Promise<readonly string[]> {
  const open: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path: string = `/v1/orders/overdue${cursor && `?cursor=${encodeURIComponent(cursor)}`}`;
    const page: Page = await gateline.get(path);
    for (const { order_id, due_unix } of page.data) {
      const id = `due_${order_id}_${due_unix}`;
      if (await mailer.accept({ id, type: 'invoice.due', data: { order_id } })) open.push(id);
    }
    cursor = page.next_cursor;
  }
  return open;
}

const hourMs = 3_600_000;
const lookMs = 30_000;

interface Reminding {
  readonly gateline: Gateline;
  readonly mailer: Mailer;
  /** Reminders wait to be sent. */
  readonly wake: () => void;
  readonly failed: () => void;
  /** Of a run whose clock may be ahead. */
  readonly now?: () => number;
}

/** Looks at once and then once a day. What could not be read is looked for again an hour later. Returns how to stop it. */
export function remindDaily({ gateline, mailer, wake, failed, now = Date.now }: Reminding): () => void {
  let dueMs = 0;
  const look = async (): Promise<void> => {
    if (now() < dueMs) return;
    dueMs = now() + 24 * hourMs;
    try {
      if ((await remind(gateline, mailer)).length > 0) wake();
    } catch {
      dueMs = now() + hourMs;
      failed();
    }
  };
  void look();
  const timer = setInterval(() => void look(), lookMs);
  return () => clearInterval(timer);
}
