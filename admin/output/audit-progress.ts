import type { Writable } from 'node:stream';
import { SingleBar } from 'cli-progress';
import type { AuditCounts } from '../../shared/data/audit/organisation.ts';

interface AuditProgress {
  update(counts: AuditCounts): void;
  /** Must be called, also after an error: a progress bar keeps the process alive. */
  end(): void;
}

/** A progress bar on a terminal, otherwise a line for every hundred events. */
export function showAuditProgress(screen: Writable & { readonly isTTY?: boolean }, events: number): AuditProgress {
  if (screen.isTTY) return progressBar(screen, events);
  let lines = 0;
  return {
    update(counts) {
      if (counts.events < (lines + 1) * eventsPerLine) return;
      lines += 1;
      screen.write(`${counts.events} of ${events} events, ${counts.orders} orders\n`);
    },
    end: () => undefined,
  };
}

const eventsPerLine = 100;

function progressBar(screen: Writable, events: number): AuditProgress {
  const format =
    '[{bar}] {percentage} %  {orders} orders, {scans} scans, {customers} customers, {members} members  {eta_formatted} left';
  // Cursor and line wrapping stay as they are: nothing would restore them after Ctrl-C.
  const bar = new SingleBar({
    stream: screen as NodeJS.WritableStream,
    format,
    barsize: 30,
    clearOnComplete: true,
    linewrap: true,
    barCompleteChar: '#',
    barIncompleteChar: '.',
  });
  bar.start(Math.max(events, 1), 0, { orders: 0, scans: 0, customers: 0, members: 0 });
  return {
    update: ({ events: done, ...counts }) => bar.update(done, counts),
    end: () => bar.stop(),
  };
}
