/** What the shop's server tells its pages. Nothing in it is secret. */
export interface Config {
  readonly apiUrl: string;
  readonly orgId: string;
  readonly storefrontToken: string;
  /** The accounts of the demo's identity provider. */
  readonly fans: readonly Account[];
  readonly staff: readonly Account[];
  readonly demoGateToken: string | null;
  readonly nowMs: number;
}

interface Account {
  readonly id: string;
  readonly name: string;
  readonly note: string;
}

let current: Config | undefined;
let aheadMs = 0;

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
