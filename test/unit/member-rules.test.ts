import { describe, expect, it } from 'vitest';
import { type MemberFilters, planMembers } from '../../shared/domain/members/filters.ts';
import { codesByMember, fulfil, setTrackingCode } from '../../shared/domain/members/fulfilment.ts';
import { memberNumberText, parseSequenceNumber } from '../../shared/domain/members/number.ts';
import { isAllowedTransition, memberStatusIds, nextStatuses } from '../../shared/domain/members/status.ts';
import { isCalendarDay } from '../../shared/domain/time/calendar-day.ts';

describe('member status', () => {
  it('a member status changes only as the specification allows, and 3 is final', () => {
    const allowed = memberStatusIds.flatMap((from) =>
      memberStatusIds.filter((to) => from !== to && isAllowedTransition(from, to)).map((to) => `${from}→${to}`),
    );
    expect(allowed).toEqual(['0→1', '0→2', '0→3', '1→2', '1→3', '2→1', '2→3']);
    expect(nextStatuses(3)).toEqual([]);
  });

  it('a member status may always stay the same', () => {
    expect(memberStatusIds.every((status) => isAllowedTransition(status, status))).toBe(true);
  });
});

describe('member fulfilment', () => {
  const never = { fulfilled: 'no', fulfilledUnix: null, trackingCode: null } as const;
  const before = { fulfilled: 'yes', fulfilledUnix: 100, trackingCode: 'OLD' } as const;

  it.each([
    ['not fulfilled, no code', never, undefined, { fulfilled: 'yes', fulfilledUnix: 900, trackingCode: null }],
    ['not fulfilled, a code', never, 'AB1', { fulfilled: 'yes', fulfilledUnix: 900, trackingCode: 'AB1' }],
    ['fulfilled, no code', before, undefined, before],
    ['fulfilled, a code', before, 'AB1', { ...before, trackingCode: 'AB1' }],
    ['fulfilled on an unknown day', { ...before, fulfilledUnix: null }, 'AB1', { fulfilledUnix: null }],
  ] as const)('fulfilment of a set: %s', (_row, current, code, expected) => {
    expect(fulfil(current, code, 900)).toMatchObject(expected);
  });

  it.each([
    ['not fulfilled, a code', never, 'AB1', { fulfilled: 'yes', fulfilledUnix: 900, trackingCode: 'AB1' }],
    ['fulfilled, a code', before, 'AB1', { ...before, trackingCode: 'AB1' }],
    ['fulfilled, null', before, null, { ...before, trackingCode: null }],
    ['not fulfilled, null', never, null, never],
  ] as const)('fulfilment by a tracking code: %s', (_row, current, code, expected) => {
    expect(setTrackingCode(current, code, 900)).toEqual(expected);
  });

  it('fulfilment of a list counts a member once, in the order of the list, with its last code', () => {
    const requests = [
      { memberId: 7, trackingCode: 'A' },
      { memberId: 5, trackingCode: undefined },
      { memberId: 7, trackingCode: 'B' },
      { memberId: 7, trackingCode: undefined },
    ];
    expect([...codesByMember(requests)]).toEqual([
      [7, 'B'],
      [5, undefined],
    ]);
  });
});

describe('member number sequence', () => {
  it.each(['1', '42', '0001001', '999999999999999'])(
    'member number %s has a position in the sequence, and keeps its form',
    (text) => {
      const position = parseSequenceNumber(text);
      expect(position && memberNumberText(position)).toBe(text);
    },
  );

  it.each(['', 'A-17', '1.5', '-3', '１２', '1234567890123456'])(
    'member number %j has no position in the sequence',
    (text) => {
      expect(parseSequenceNumber(text)).toBeUndefined();
    },
  );

  it('a member number is padded like those before it, and grows beyond their width', () => {
    expect(memberNumberText({ last: 1_002, width: 7 })).toBe('0001002');
    expect(memberNumberText({ last: 10_000, width: 4 })).toBe('10000');
  });
});

describe('calendar day', () => {
  it.each([
    ['1988-02-29', true],
    ['2026-12-31', true],
    ['1900-02-29', false],
    ['2026-02-30', false],
    ['2026-13-01', false],
    ['2026-1-1', false],
    ['', false],
  ])('%j is a calendar day: %s', (text, expected) => {
    expect(isCalendarDay(text)).toBe(expected);
  });
});

describe('member filters', () => {
  const member = {
    createdUnix: 100,
    updatedUnix: 200,
    fulfilled: 'yes',
    statusId: 1,
    typeId: 7,
    seatMapId: 9,
  } as const;

  it.each<[MemberFilters, MemberFilters]>([
    [{ updatedSince: 199 }, { updatedSince: 200 }],
    [{ updatedUntil: 201 }, { updatedUntil: 200 }],
    [{ createdSince: 99 }, { createdSince: 100 }],
    [{ createdUntil: 101 }, { createdUntil: 100 }],
    [{ fulfilled: 'yes' }, { fulfilled: 'no' }],
    [{ statusId: 1 }, { statusId: 2 }],
    [{ typeId: 7 }, { typeId: 8 }],
    [{ seatMapId: 9 }, { seatMapId: 7 }],
  ])('a member filter of %o matches a member, and %o does not: all bounds are exclusive', (matching, other) => {
    expect(planMembers(matching).matches(member)).toBe(true);
    expect(planMembers(other).matches(member)).toBe(false);
  });

  it('a member filter takes a member that was never updated as updated when it was created', () => {
    const matches = planMembers({ updatedSince: 99, updatedUntil: 101 }).matches;
    expect(matches({ ...member, updatedUnix: null })).toBe(true);
    expect(matches(member)).toBe(false);
  });
});
