import type { CodeCampaign } from '../../shared/domain/codes/campaign.ts';
import type { Rejection } from './dataset.ts';

/** The campaign with a title; undefined if there is none. Titles need not be unique, and nothing else says which one is meant. */
export function campaignByTitle(
  campaigns: readonly CodeCampaign[],
  title: string,
): CodeCampaign | Rejection | undefined {
  const [first, ...others] = campaigns.filter((campaign) => campaign.title === title);
  return others.length === 0 ? first : { rejected: sharedTitle(others.length + 1, title) };
}

/** Tells which of the exported campaigns an import cannot tell apart. */
export function noteSharedTitles(campaigns: readonly CodeCampaign[], note: (line: string) => void): void {
  for (const [title, { length }] of Map.groupBy(campaigns, (campaign) => campaign.title)) {
    if (length > 1) note(`${sharedTitle(length, title)} An import rejects rows that name it.`);
  }
}

function sharedTitle(count: number, title: string): string {
  return `${count} code campaigns have the title "${title}". Give each its own title with update-code-campaign.`;
}
