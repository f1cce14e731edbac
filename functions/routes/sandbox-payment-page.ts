import { announceDispute } from '../../shared/checkout/announce-dispute.ts';
import { sandboxDispute } from '../../shared/payments/sandbox-dispute.ts';
import {
  decidedResponse,
  decisionPage,
  disputedPage,
  missingPage,
  outcomePage,
} from '../../shared/payments/sandbox-page.ts';
import { decideSandboxPayment, readSandboxPayment } from '../../shared/payments/sandbox-token.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { routeWorker } from '../../shared/workers/route.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = routeWorker(async ({ method, params, body }) => {
  const table = workerTable();
  const charge = await readSandboxPayment(table, (params.token ?? '').replaceAll('%7E', '~'));
  if (charge === undefined) return missingPage();
  if (method === 'GET') return charge.status === 'requires_action' ? decisionPage(charge) : outcomePage(charge);
  const decision = new URLSearchParams(body).get('decision');
  if (decision === 'dispute' && charge.status === 'paid') {
    await announceDispute({ table, clock: systemClock }, sandboxDispute(charge, unixSeconds(systemClock)));
    return disputedPage(charge);
  }
  if (decision !== 'approve' && decision !== 'fail') return decisionPage(charge);
  return decidedResponse(await decideSandboxPayment(table, charge, decision));
});
