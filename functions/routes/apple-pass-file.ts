import { appleAccount } from '../../shared/documents/apple-account.ts';
import { appleMember, appleTicket } from '../../shared/documents/apple-pass.ts';
import { readNamedPass } from '../../shared/documents/apple-registration.ts';
import { appleServicePath, passUpdates } from '../../shared/documents/apple-serial.ts';
import { dateOfPass, readPassFacts } from '../../shared/documents/apple-subject.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { fileRouteWorker } from '../../shared/workers/file-route.ts';
import { plainText } from '../../shared/workers/route.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** The current version of a pass, for a device that has it. */
export const handler = fileRouteWorker(async ({ params, header, address }) => {
  const named = await readNamedPass(params, header('authorization'));
  if (named === undefined) return plainText(401, 'The token of the pass is wrong.');
  const [account, found] = await Promise.all([
    appleAccount(),
    readPassFacts(workerTable(), named.subject, unixSeconds(systemClock)),
  ]);
  if (account === undefined || found === undefined) return plainText(404, 'There is no such pass.');
  const date = dateOfPass(named.serialNumber, found);
  if (header('if-modified-since') === date) return { status: 304, headers: { 'Last-Modified': date }, body: '' };
  const updates = await passUpdates(address.split(appleServicePath)[0] ?? '', named.serialNumber);
  const body =
    found.kind === 'ticket' ? appleTicket(account, found.facts, updates) : appleMember(account, found.facts, updates);
  const headers = {
    'Content-Type': 'application/vnd.apple.pkpass',
    'Cache-Control': 'no-store',
    'Last-Modified': date,
  };
  return { status: 200, headers, body };
});
