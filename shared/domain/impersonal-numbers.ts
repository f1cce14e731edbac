import type { KeyKind } from './table-access.ts';

/**
 * The numbers, booleans and bytes of a kind's rows that say nothing of a person that an erasure has to remove: ids, times, amounts, counts,
 * states and hashes stay, as the order or the scan stays. Those that do are in `personal-data.ts`, as texts are. A number without an answer fails
 * `test/data/admin/personal-data.test.ts`. `[]` is an item of a list, `*` the rest of a name.
 */
const named = (names: string): readonly string[] => names.split(' ');

/** The same in every kind that has them. */
export const impersonalEverywhere = named('version v ttl createdUnix');

export const impersonalNumbers: Readonly<Record<KeyKind, readonly string[]>> = {
  AUD: named('found foundBefore startedUnix'),
  AUTH: named('h* issued'),
  BAR: [
    ...named(
      'at cat event face fee gone id kept memberId nth offered offers[].at offers[].n offers[].until order pool price st tax to',
    ),
    ...named('ends sc[] vat was[][] went[][]'),
  ],
  BRK: named('failures held notices probes settings.formerUntilUnix settings.ratePerSecond settings.version timeouts'),
  BSK: [
    ...named(
      'attempts basketId code.campaignId code.stock.id code.stock.slices customer.userId eventId expiresUnix lastLineId',
    ),
    ...named(
      'lines[].adjustments[].amountMinor lines[].categoryId lines[].faceMinor lines[].lineId lines[].maxPerMember',
    ),
    ...named('lines[].membershipTypeId lines[].ownStock lines[].payments.options[].fixedEndUnix'),
    ...named(
      'lines[].payments.options[].instalments lines[].payments.termMonths lines[].pool.index lines[].pool.slices',
    ),
    ...named('lines[].selfCancel.keepPercent lines[].selfCancel.untilHours'),
    ...named('lines[].priceId lines[].priceIndex lines[].quantity lines[].rebateMinor lines[].serviceFeeMinor'),
    ...named(
      'lines[].serviceTaxMinor lines[].soldTypeId lines[].stockSlices lines[].taxRate lines[].ticketsIncluded openedUnix',
    ),
    ...named('lines[].nextTerm.creditMinor lines[].nextTerm.members[].expiresUnix lines[].nextTerm.members[].memberId'),
    ...named('lines[].nextTerm.members[].replacedTermId lines[].nextTerm.members[].userId'),
    ...named(
      'memberPricesOf[] order.placedUnix payment.amountMinor refunds[].amountMinor refunds[].memberIds[] refunds[].number',
    ),
    ...named('refunds[].failedCharges[].amountMinor refunds[].returnedCharges refunds[].returnedShares[].dueUnix'),
    ...named('refunds[].returnedShares[].number refunds[].returnedShares[].paidUnix refunds[].returnedShares[].planId'),
    ...named(
      'refunds[].keepMinor refunds[].keptMinor refunds[].startedUnix refunds[].ticketIds[] refunds[].writtenOffMinor',
    ),
  ],
  CAT: [],
  CDC: named('campaignId effect.value revealsPriceIds[] untilUnix usesPerCode'),
  CDE: named('campaignId stockId'),
  CNS: named('at consents[].at consents[].order order'),
  CNT: named('*'),
  CUS: named('id owns updated'),
  CUV: named('id owns updated'),
  DLV: named('attempts[].atUnix attempts[].durationMs attempts[].statusCode hintUnix leaseMs nextMs spent'),
  DUE: named('dueUnix sinceUnix'),
  ERS: named('doneUnix memberIds[] orderIds[] startedUnix userId'),
  EVC: [
    ...named(
      'campaignId cancelledUnix categoryId eventId index lastNumber maxPerMember membershipTypeId orderBy ownStock',
    ),
    ...named(
      'phases[].maxPerPerson phases[].number phases[].priceIndexes[] phases[].version poolIndex priceMinor publicEvent',
    ),
    ...named(
      'rebateMinor reservedSeating scanningFlag seatingMapId seatingVersion seatsOnly seatsUsed serviceFeeMinor',
    ),
    ...named(
      'serviceTaxMinor showBoxoffice showOnline startUnix statusId stockSlices stockVersion taxRate ticketsIncluded',
    ),
    ...named('selfCancel.keepPercent selfCancel.untilHours wasPublished'),
  ],
  EVT: named(
    'cancelledUnix eventId publicEvent reservedSeating seatingMapId seatingVersion seatsUsed startUnix statusId wasPublished',
  ),
  EVV: named('st'),
  FEED: [],
  GATE: named('gateId offline revokedUnix'),
  GATEAUTH: named('h*'),
  HMAC: [],
  HOLD: named('b* tickets'),
  HOOK: named('endpoints formerUntilUnix ratePerSecond'),
  IDM: named('leaseUntilUnix'),
  JOB: named('done dueUnix failed movedUnix task.eventId total'),
  JRN: named('at event order money.*'),
  KEY: named('revokedUnix'),
  MCF: [
    ...named(
      'autoRenewal capacity categoryId fixedEndUnix gameDayAccess graceDays mapVersion membersOutdated numberOfInstalments',
    ),
    ...named('offerAutoRenew orderBy persons priceThousandths seatMapId seats showOnline status termMonths typeId'),
    ...named('withdrawalDays'),
  ],
  MEM: [
    ...named(
      'autoRenew cardVersion categoryId expiresUnix formerCards[].untilUnix instalments memberId ownSeatMapId planId',
    ),
    ...named(
      'withdrawableUntilUnix cancelledUnix overdueSinceUnix pendingRefund.before.autoRenew pendingRefund.before.statusId',
    ),
    ...named('pendingRefund.number pendingRefund.orderId renewalId seatMapId statusId typeId updatedUnix userId'),
  ],
  MEU: named('memberId'),
  MIG: named('organisations rows startedUnix written'),
  MPM: named('f* p*'),
  NON: [],
  OPC: named('startedUnix'),
  ORD: [
    ...named(
      'at back book event gone id inv.givenUnix kept off refs[].at refs[].gone refs[].ids[] refs[].keep refs[].kept refs[].mems[] refs[].n refs[].sum res.tickets[].limit res.tickets[].memberId res.tickets[].priceIndex res.tickets[].tickets total upd',
    ),
    ...named('per.tickets[].limit per.tickets[].phase per.tickets[].priceIndex per.tickets[].tickets user'),
  ],
  ORG: [],
  ORT: [
    ...named(
      'mems[].back[] mems[].cut mems[].face mems[].gone mems[].id mems[].kept mems[].line mems[].own mems[].plan mems[].st mems[].term mems[].type mems[].until mems[].wd sorts[].cat',
    ),
    ...named(
      'sorts[].face sorts[].fee sorts[].nth sorts[].pool sorts[].price sorts[].tax sorts[].vat tickets[].at tickets[].n',
    ),
    ...named('sorts[].sc[] tickets[].kept tickets[].s tickets[].st tickets[].to tickets[].was[][]'),
  ],
  ORU: [],
  ORV: [],
  PASS: named('bought went[][]'),
  PING: [],
  PLN: named(
    'givenUnix instalments[].amt instalments[].due instalments[].paid instalments[].tries lineId memberIds[] orderId planId userId',
  ),
  PMT: named('userId'),
  POS: named('roots.*'),
  POT: [],
  PUB: named('h* basketKey maxBaskets maxHeld perAddress perMinute'),
  PUBCNT: named('requests'),
  RCB: named('counts.* leasedUntilUnix settings[].keepYears settings[].sinceUnix settings[].yearly'),
  RCP: named('at lines[].* order paidBy[].amountMinor refersTo.issuedUnix'),
  REQ: named('ms status'),
  RFD: [],
  RNW: named('consent.givenUnix isOn memberIds[] renewalId saved.savedUnix setups userId'),
  RPL: named('hintUnix sinceMs untilMs'),
  SBK: named('blockId eventId releaseUnix'),
  SBX: named('amountMinor refundedMinor refunds.*'),
  SCN: named('at cat event gateId member order ticket user'),
  SEA: named('freed moves size'),
  SEM: named('moves'),
  SEP: named('mapVersion moves'),
  SEQ: named('lastNumber members numberWidth'),
  SMP: [],
  SSO: named('linkedUnix trustsEmail userId'),
  STK: named('avail capacity closed moves priceVersion slices'),
  TRM: named(
    'before.expiresUnix before.statusId before.typeId fromUnix memberId orderId priceMinor replacesTermId termId typeId untilUnix',
  ),
  UNI: named('event id'),
  WDR: named(
    'amountMinor announcedUnix decidedUnix memberIds[] orderId periodEndsUnix receivedUnix refundNumber requestedUnix termIds[] used',
  ),
  WDV: [],
  WTL: [
    ...named(
      'acceptLess basketId eventId joinedUnix offerUntilUnix offeredQuantity priceIndex quantity requestAnnouncedUnix',
    ),
    ...named('requestedUnix userId'),
  ],
};
