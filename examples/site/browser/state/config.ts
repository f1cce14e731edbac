import type { Account, Organisation } from '../resources.ts';

/** What the server tells its pages. Nothing in it is secret. */
export interface Config {
  readonly apiUrl: string;
  readonly orgId: string;
  readonly storefrontToken: string;
  /** The accounts of the demo's identity provider. */
  readonly fans: readonly Account[];
  readonly staff: readonly Account[];
  /** Only of a shop: a gate token that the gate page offers to everyone. Null except on a demo. */
  readonly demoGateToken?: string | null;
  /** Only of a shop: where its staff find the office. Without it, no page leads there. */
  readonly officeUrl?: string;
  /** Only of a shop: what visitors read first, and what a buyer accepts with the payment. */
  readonly welcome?: string;
  readonly terms?: readonly string[];
  /** Only of an office: where fans find the shop. Without it, on the same site. */
  readonly shopUrl?: string;
  /** Only of a shop, if its server knows it already. */
  readonly organisation?: Organisation;
  readonly nowMs: number;
}

let current: Config | undefined;
let aheadMs = 0;

/** Reads the configuration that the document has brought along. Its time is that of the moment when the answer came. */
export function readConfig(): Config {
  current = JSON.parse(document.getElementById('config')?.textContent ?? '') as Config;
  const [navigation] = performance.getEntriesByType('navigation');
  const cameMs = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0;
  aheadMs = current.nowMs - (performance.timeOrigin + cameMs);
  return current;
}

/** Asks for the configuration again: its time is newer then. */
export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json');
  if (!response.ok) throw new Error(`The shop answered ${response.status}.`);
  current = (await response.json()) as Config;
  aheadMs = current.nowMs - Date.now();
  return current;
}

export function config(): Config {
  if (current === undefined) throw new Error('The configuration is not loaded.');
  return current;
}

/** The time by the server's clock: the clocks of phones are often wrong, and a countdown must not be. */
export const nowMs = (): number => Date.now() + aheadMs;
