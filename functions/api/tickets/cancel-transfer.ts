import type { TransferOffer } from '../../../shared/domain/orders/transfer.ts';
import { requireTransfer } from '../../../shared/http/handlers/from-path/transfer-from-path.ts';
import { transferProblem } from '../../../shared/http/handlers/problems/transfer-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { transferResource } from '../../../shared/mappers/transfer.ts';
import { cancelTransfer } from '../../../shared/operations/tickets/cancel-transfer.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { cancelTransfer as cancel } from '../../../shared/sales/tickets/cancel-transfer.ts';

export const handle: Handle<typeof cancelTransfer> = async ({ params }, deps) => {
  const { table, caller, clock, requestId, receipt } = deps;
  const found = await requireTransfer(deps, params.transfer_id);
  const respond = (offer: TransferOffer) => transferResource(found.ticket.ticketId, offer, unixSeconds(clock));
  const cancelled = await cancel({ table, orgId: caller.orgId, clock, requestId }, found, found, (offer) =>
    receipt(respond(offer)),
  );
  if ('refusal' in cancelled) throw transferProblem(cancelled.refusal);
  return respond(cancelled.offer);
};

export const handler = pipeline(cancelTransfer, handle);
