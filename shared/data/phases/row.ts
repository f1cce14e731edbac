import * as v from 'valibot';
import type { EventPhases } from '../../domain/phases/phase.ts';
import { type ItemKey, phasesKey } from '../table/keys.ts';
import { nullable, row, withoutNulls } from '../table/row.ts';

const StoredPhase = row({
  number: v.number(),
  title: v.string(),
  fromUnix: nullable(v.number()),
  untilUnix: nullable(v.number()),
  requires: row({
    membershipTypeIds: v.optional(v.array(v.number()), []),
    codeCampaignId: nullable(v.number()),
    attribute: nullable(row({ name: v.string(), atLeast: v.number() })),
  }),
  priceIndexes: nullable(v.array(v.number())),
  maxPerPerson: nullable(v.number()),
  version: v.number(),
});

const StoredPhases = row({
  eventId: v.number(),
  phases: v.array(StoredPhase),
  lastNumber: v.number(),
  version: v.number(),
});

export function parsePhases(item: unknown): EventPhases {
  return v.parse(StoredPhases, item);
}

export function phasesItem(orgId: string, phases: EventPhases): ItemKey & Readonly<Record<string, unknown>> {
  return { ...withoutNulls(phases), ...phasesKey(orgId, phases.eventId) };
}
