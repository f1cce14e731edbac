import * as v from 'valibot';
import { codeEffects } from '../../domain/codes/campaign.ts';
import { field, Id, Money, resource, UnixSeconds, Version } from './fields.ts';

const CodeEffect = resource('CodeEffect', 'What a code does to the price of each ticket. Fees stay as they are.', {
  kind: field(
    v.picklist(codeEffects),
    'percent reduces by a percentage, amount by an amount, fixed_price to an amount; none changes no price.',
  ),
  value: field(Money, 'The percentage, or the amount in major units of the currency of the event; 0 for none.'),
});

export const CodeCampaign = resource('CodeCampaign', 'Codes that do the same: single ones, or words that many share.', {
  code_campaign_id: field(Id, 'Unique identifier of the campaign.'),
  title: field(v.string(), 'Title of the campaign, for your staff.'),
  effect: CodeEffect,
  price_ids: field(v.nullable(v.array(Id)), 'The prices that the codes are for; null for all, or those of event_ids.'),
  event_ids: field(
    v.nullable(v.array(v.string())),
    'The events that the codes are for; null for all, or those of price_ids.',
  ),
  from_unix: field(
    v.nullable(UnixSeconds),
    'From when the codes are valid, in Unix seconds; null if from the beginning.',
  ),
  until_unix: field(
    v.nullable(UnixSeconds),
    'Until when the codes are valid, in Unix seconds; null if without an end.',
  ),
  uses_per_code: field(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
    'In how many baskets each code can be used; null without a limit.',
  ),
  reveals_price_ids: field(v.array(Id), 'Prices that nobody sees or buys without a code of the campaign.'),
  created: field(UnixSeconds, 'When the campaign was created, in Unix seconds.'),
  version: field(
    Version,
    'Raised by every change of the campaign. Send it in If-Match, so that no other change is lost.',
  ),
});
export type CodeCampaign = v.InferOutput<typeof CodeCampaign>;

export const CampaignCode = resource('CampaignCode', 'A code of a campaign.', {
  code: field(v.string(), 'What people type. Small letters and spaces do not matter.'),
  uses: field(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
    'In how many orders and open baskets the code is used; null if its uses are not limited, and so not counted.',
  ),
  created: field(UnixSeconds, 'When the code was created, in Unix seconds.'),
});
export type CampaignCode = v.InferOutput<typeof CampaignCode>;

export const CreatedCodes = resource('CreatedCodes', 'Codes that were just created.', {
  object: field(v.picklist(['codes']), 'The type of the list.'),
  code_campaign_id: field(Id, 'The campaign of the codes.'),
  data: field(v.array(CampaignCode), 'The codes.'),
});
