import * as v from 'valibot';
import { aisleGaps } from '../../../domain/seats/aisles.ts';
import { buildMap, type SentKinds, type SentRow, type SentSeat, tooLong } from '../../../domain/seats/build-map.ts';
import { parseLabels } from '../../../domain/seats/labels.ts';
import type { MapZone, SeatMap } from '../../../domain/seats/seat-map.ts';
import type { SeatMapBody } from '../../../operations/seat-maps/seat-map-fields.ts';
import { throwIfAny } from '../../input/validate.ts';
import { type ProblemDetail, problem } from '../../problem.ts';

const invalid = (param: string, message: string): ProblemDetail => ({ code: 'parameter_invalid', param, message });

/** The map that a body describes. Throws all problems of it at once. */
export function seatMapOf({ plan, sections, kinds }: SeatMapBody): SeatMap {
  if (plan !== null && sections !== null) {
    throw problem('parameter_conflict', 'Send either plan or sections.', { param: 'plan' });
  }
  if (plan === null && sections === null) {
    throw problem('parameter_missing', 'The parameter sections is required, or plan.', { param: 'sections' });
  }
  const { rows, zones } = plan === null ? rowsOfSections(sections ?? []) : rowsOfPlan(plan);
  const sentKinds = (kinds ?? []).map(
    ({ kind, seats, companion_of }): SentKinds => ({ kind, seats, companionOf: companion_of }),
  );
  const built = buildMap(rows, { zones, kinds: sentKinds });
  if ('map' in built) return built.map;
  throwIfAny(built.problems.map(({ param, message }) => invalid(param, message)));
  throw problem('parameter_invalid', 'The map is not valid.');
}

interface SentRows {
  readonly rows: readonly SentRow[];
  readonly zones: readonly MapZone[];
}

function rowsOfSections(sections: NonNullable<SeatMapBody['sections']>): SentRows {
  const details: ProblemDetail[] = [];
  const rows = sections.flatMap(({ section, zone, rows: inSection }, at) =>
    inSection.map((row, index): SentRow => {
      const param = `sections[${at}].rows[${index}].seats`;
      const labels = parseLabels(row.seats);
      if ('tooMany' in labels) {
        details.push(invalid(param, tooLong(section, row.row, labels.tooMany)));
        return { param, section, row: row.row, seats: [] };
      }
      const seats = labels.map((seat) => ({ ...seat, zone: row.zone ?? zone ?? section }));
      return { param, section, row: row.row, seats };
    }),
  );
  throwIfAny(details);
  return { rows, zones: [] };
}

/** What is read of pretix's seating plans. The rest is ignored: areas, labels for texts, and what later editors add. */
const PlanPosition = v.object({ x: v.number(), y: v.number() });
const PlanSeat = v.object({ seat_number: v.string(), position: PlanPosition, category: v.string() });
const Plan = v.object({
  categories: v.array(v.object({ name: v.string(), color: v.optional(v.nullable(v.string()), null) })),
  zones: v.array(
    v.object({
      name: v.optional(v.string()),
      position: PlanPosition,
      rows: v.array(v.object({ row_number: v.string(), position: v.optional(PlanPosition), seats: v.array(PlanSeat) })),
    }),
  ),
});

function rowsOfPlan(sent: unknown): SentRows {
  const parsed = v.safeParse(Plan, sent);
  if (!parsed.success) {
    const details = parsed.issues.map((issue) => invalid(planParam(issue), planMessage(issue)));
    throwIfAny(details);
    throw problem('parameter_invalid', 'The parameter plan is not a seating plan.', { param: 'plan' });
  }
  const { categories, zones } = parsed.output;
  const names = new Set(categories.map(({ name }) => name));
  const details: ProblemDetail[] = [];
  const pieces = zones.flatMap((zone, at) =>
    zone.rows.map(({ row_number: row, position, seats }, index): SentRow => {
      const param = `plan.zones[${at}].rows[${index}]`;
      const unknown = seats.findIndex(({ category }) => !names.has(category));
      if (unknown !== -1) {
        const message = `The seat has the category ${seats[unknown]?.category}, which is not one of the plan's categories.`;
        details.push(invalid(`${param}.seats[${unknown}].category`, message));
      }
      const placed = seats.map(({ seat_number: label, category, position: own }) => ({
        label,
        zone: category,
        position: { x: zone.position.x + (position?.x ?? 0) + own.x, y: zone.position.y + (position?.y ?? 0) + own.y },
      }));
      const section = zone.name?.trim() || `Section ${at + 1}`;
      return { param, section, row: row.trim() || `Row ${index + 1}`, seats: withAisles(placed) };
    }),
  );
  throwIfAny(details);
  return {
    rows: joined(pieces.filter(({ seats }) => seats.length > 0)),
    zones: categories.map(({ name, color }) => ({ zone: name, color })),
  };
}

/** A row that is drawn in several pieces, such as left and right of the aisle, is one row with aisles between them. */
function joined(pieces: readonly SentRow[]): readonly SentRow[] {
  const rows = new Map<string, SentRow>();
  for (const piece of pieces) {
    const name = `${piece.section}/${piece.row}`;
    const before = rows.get(name);
    const further = piece.seats.map((seat, place) => ({ ...seat, afterAisle: seat.afterAisle || place === 0 }));
    rows.set(name, before === undefined ? piece : { ...before, seats: [...before.seats, ...further] });
  }
  return [...rows.values()];
}

/** As other parameters are named: plan.zones[0].rows[2]. */
function planParam(issue: v.BaseIssue<unknown>): string {
  return `plan.${v.getDotPath(issue) ?? ''}`.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
}

function planMessage(issue: v.BaseIssue<unknown>): string {
  return `The plan does not follow the JSON schema of pretix's seating plans: ${issue.message}.`;
}

function withAisles(seats: readonly Required<Omit<SentSeat, 'afterAisle'>>[]): readonly SentSeat[] {
  const gaps = seats.map(({ position }, place) => {
    const before = seats[place - 1]?.position ?? position;
    return Math.hypot(position.x - before.x, position.y - before.y);
  });
  const usual = gaps.slice(1).toSorted((one, other) => one - other)[Math.floor((gaps.length - 1) / 2)] ?? 0;
  return seats.map((seat, place) => ({ ...seat, afterAisle: (gaps[place] ?? 0) > usual * aisleGaps }));
}
