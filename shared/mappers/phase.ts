import {
  type PhaseFields,
  type Phase as PhaseRecord,
  type PhaseRequirements,
  phaseIdOf,
} from '../domain/phases/phase.ts';
import { priceIdOf, priceOfId } from '../domain/prices/price.ts';
import type { CreatePhaseBody } from '../operations/catalogue/create-phase.ts';
import type { Phase } from '../operations/schemas/phase.ts';

export function phaseResource(eventId: number, record: PhaseRecord): Phase {
  return {
    phase_id: phaseIdOf(eventId, record.number),
    title: record.title,
    from_unix: record.fromUnix,
    until_unix: record.untilUnix,
    requires: requirementsResource(record.requires),
    price_ids: record.priceIndexes?.map((index) => priceIdOf(eventId, index)) ?? null,
    max_per_person: record.maxPerPerson,
    version: record.version,
  };
}

function requirementsResource(requires: PhaseRequirements): Phase['requires'] {
  const { membershipTypeIds, codeCampaignId, attribute } = requires;
  return {
    membership_type_ids: membershipTypeIds.length === 0 ? null : [...membershipTypeIds],
    code_campaign_id: codeCampaignId,
    attribute: attribute && { name: attribute.name, at_least: attribute.atLeast },
  };
}

type SentPhase = { readonly [Name in keyof CreatePhaseBody]?: CreatePhaseBody[Name] | undefined };

/** The fields that a request sends. A price of another event has an index that no price has. */
export function phaseInput(eventId: number, body: SentPhase): Partial<PhaseFields> {
  const { title, from_unix, until_unix, requires, price_ids, max_per_person } = body;
  const indexOf = (id: number | string): number => {
    const ref = priceOfId(Number(id));
    return ref?.eventId === eventId ? ref.index : 0;
  };
  return {
    ...(title !== undefined && { title: title.trim() }),
    ...(from_unix !== undefined && { fromUnix: from_unix }),
    ...(until_unix !== undefined && { untilUnix: until_unix }),
    ...(requires !== undefined && { requires: requirementsInput(requires) }),
    ...(price_ids !== undefined && { priceIndexes: price_ids && [...new Set(price_ids.map(indexOf))] }),
    ...(max_per_person !== undefined && { maxPerPerson: max_per_person }),
  };
}

function requirementsInput(sent: SentPhase['requires']): PhaseRequirements {
  const { membership_type_ids = null, code_campaign_id = null, attribute = null } = sent ?? {};
  return {
    membershipTypeIds: [...new Set((membership_type_ids ?? []).map(Number))],
    codeCampaignId: code_campaign_id === null ? null : Number(code_campaign_id),
    attribute: attribute && { name: attribute.name, atLeast: attribute.at_least },
  };
}
