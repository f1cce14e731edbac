import { appleAccount } from '../../shared/documents/apple-account.ts';
import { appleMember, appleTicket } from '../../shared/documents/apple-pass.ts';
import { readNamedPass } from '../../shared/documents/apple-registration.ts';
import { passUpdates } from '../../shared/documents/apple-serial.ts';
import { dateOfPass, hasCurrentKey, readPassFacts } from '../../shared/documents/apple-subject.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { fileRouteWorker } from '../../shared/workers/file-route.ts';
import { plainText } from '../../shared/workers/route.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** The current version of a pass, for a device that has it. */
export const handler = fileRouteWorker(async ({ params, header }) => {
  const named = await readNamedPass(params, header('authorization'));
  if (named === undefined) return plainText(401, 'The token of the pass is wrong.');
  const table = workerTable();
  const [account, found, isCurrent] = await Promise.all([
    appleAccount(),
    readPassFacts(table, named.subject, unixSeconds(systemClock)),
    hasCurrentKey(table, named),
  ]);
  if (!isCurrent) return plainText(401, 'The token of the pass has ended.');
  if (account === undefined || found === undefined) return plainText(404, 'There is no such pass.');
  const date = dateOfPass(named.serialNumber, found);
  if (header('if-modified-since') === date) return { status: 304, headers: { 'Last-Modified': date }, body: '' };
  const updates = await passUpdates(named.serialNumber, named.keyVersion);
  const body =
    found.kind === 'ticket' ? appleTicket(account, found.facts, updates) : appleMember(account, found.facts, updates);
  const headers = {
    'Content-Type': 'application/vnd.apple.pkpass',
    'Cache-Control': 'no-store',
    'Last-Modified': date,
  };
  return { status: 200, headers, body };
});
