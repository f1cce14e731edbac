import { handle as createOne } from '../../functions/api/catalogue/create-phase.ts';
import { handle as deleteOne } from '../../functions/api/catalogue/delete-phase.ts';
import { handle as listAll } from '../../functions/api/catalogue/list-phases.ts';
import { handle as updateOne } from '../../functions/api/catalogue/update-phase.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { createPhase } from '../../shared/operations/catalogue/create-phase.ts';
import { deletePhase } from '../../shared/operations/catalogue/delete-phase.ts';
import { listPhases } from '../../shared/operations/catalogue/list-phases.ts';
import { updatePhase } from '../../shared/operations/catalogue/update-phase.ts';
import { callOperation, type OperationResponse } from './call-operation.ts';

/** The operations of phases, as the office of an organisation calls them for one event. */
export class PhaseOffice {
  readonly #base: { readonly table: Table; readonly bearer: string; readonly nowMs: number };
  readonly #eventId: string;

  constructor(table: Table, bearer: string, eventId: number) {
    this.#base = { table, bearer, nowMs: Date.UTC(2026, 10, 7, 12) };
    this.#eventId = String(eventId);
  }

  create(fields: object, idempotencyKey?: string): Promise<OperationResponse> {
    const body = { title: 'Phase', ...fields };
    const key = idempotencyKey === undefined ? {} : { idempotencyKey };
    return callOperation(createPhase, createOne, { ...this.#base, params: { event_id: this.#eventId }, body, ...key });
  }

  /** The id of a new phase. */
  async created(fields: object): Promise<number> {
    const { status, body } = await this.create(fields);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return Number(body.phase_id);
  }

  list(bearer = this.#base.bearer): Promise<OperationResponse> {
    return callOperation(listPhases, listAll, { ...this.#base, bearer, params: { event_id: this.#eventId } });
  }

  update(phaseId: unknown, body: object, headers: Record<string, string> = {}): Promise<OperationResponse> {
    return callOperation(updatePhase, updateOne, { ...this.#base, params: this.#of(phaseId), body, headers });
  }

  remove(phaseId: unknown): Promise<OperationResponse> {
    return callOperation(deletePhase, deleteOne, { ...this.#base, params: this.#of(phaseId) });
  }

  #of(phaseId: unknown) {
    return { event_id: this.#eventId, phase_id: String(phaseId) };
  }
}
