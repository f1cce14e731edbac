import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { isSetup } from '../../shared/payments/sandbox-charges.ts';
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
import { announceDispute } from '../../shared/sales/disputes/announce-dispute.ts';
import { routeWorker } from '../../shared/workers/route.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = routeWorker(async ({ method, params, body }) => {
  const table = workerTable();
  const charge = await readSandboxPayment(table, (params.token ?? '').replaceAll('%7E', '~'));
  if (charge === undefined) return missingPage();
  const payee = (await readOrganisation(table, charge.orgId))?.name ?? charge.orgId;
  const shown = { charge, payee };
  const decision = method === 'POST' ? new URLSearchParams(body).get('decision') : null;
  if (decision === 'dispute' && charge.status === 'paid' && !isSetup(charge)) {
    await announceDispute({ table, clock: systemClock }, sandboxDispute(charge, unixSeconds(systemClock)));
    return disputedPage(shown);
  }
  if (decision === 'approve' || decision === 'fail') {
    return decidedResponse({ payee, charge: await decideSandboxPayment(table, charge, decision) });
  }
  return charge.status === 'requires_action' ? decisionPage(shown) : outcomePage(shown);
});
