import { Fault } from './fault.ts';

/**
 * The environment variables. Each has its own accessor, so a bundle contains only the names that it uses, and a test can
 * compare them with the stack. Nothing else in functions/ and shared/ reads the environment.
 */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Fault(`The environment variable ${name} is not set.`);
  return value;
}

function optional(name: string): string | undefined {
  return process.env[name];
}

export const tableName = (): string => required('TABLE_NAME');
/** The public keys that verify the signatures of API keys and gate tokens, separated by commas. */
export const tokenPublicKeys = (): string => required('TOKEN_PUBLIC_KEYS');
/** The CDN whose header has the address of the client, as JSON; `none` if the stage has no CDN. */
export const trustedCdn = (): string => required('TRUSTED_CDN');
/** The ARN of the secret with the key of cursors; of that with the keys of links and passes; of that with the key of webhook secrets. */
export const cursorSecret = (): string => required('CURSOR_SECRET');
export const linkSecret = (): string => required('LINK_SECRET');
export const webhookSecret = (): string => required('WEBHOOK_SECRET');
/** The ARN of the secret that had all of them; null on a stage that has never had one, or does not need it any more. */
export const formerSecret = (): string | null => {
  const arn = required('FORMER_SECRET');
  return arn === 'none' ? null : arn;
};
/** `sandbox`, or the ARN of the secret that contains Stripe's key. */
export const payments = (): string => required('PAYMENTS');
/** The publishable key of the platform's Stripe account, with which a page loads Stripe's component. */
export const stripePublishableKey = (): string | null => {
  const key = required('STRIPE_PUBLISHABLE_KEY');
  return key === 'none' ? null : key;
};
/** The ARN of the secret with which Stripe signs its events. */
export const stripeWebhookSecretArn = (): string => required('STRIPE_WEBHOOK_SECRET');
/** The ARN of the secret with Apple's certificate and its key. */
export const appleWalletSecret = (): string => required('APPLE_WALLET_SECRET');
/** The ARN of the secret with the key of Google's service account. */
export const googleWalletSecret = (): string => required('GOOGLE_WALLET_SECRET');
/** The address of the API and what the canary holds there, as JSON; `none` if the stage has no canary. */
export const canary = (): string => required('CANARY');
/** What the names of the functions begin with that are kept warm; `none` if the stage keeps none. */
export const warmedFunctions = (): string => required('WARMED_FUNCTIONS');
/** The public address of the stage, without a slash at its end, for what is kept outside; null if the stage has no domain. */
export const apiAddress = (): string | null => {
  const address = required('API_ADDRESS');
  return address === 'none' ? null : address;
};
export const busName = (): string => required('BUS_NAME');
export const deliveriesUrl = (): string => required('DELIVERIES_URL');
export const retriesUrl = (): string => required('RETRIES_URL');
/** The queue that the function reads, for what it leaves to another run. */
export const ownQueueUrl = (): string => required('OWN_QUEUE_URL');
/** How many phones are told in a second. */
export const phonesPerSecond = (): number => Number(required('PHONES_PER_SECOND'));
export const backlogsUrl = (): string => required('BACKLOGS_URL');

/**
 * Whether webhooks may be sent to the same machine, over http too. Only the local run sets it. A deployed function must never
 * call itself, and a test checks that the stack does not set it.
 */
export const allowsLoopbackReceivers = (): boolean => process.env.LOOPBACK_RECEIVERS === 'allowed';

/** Where Stripe's API is, if it is a server of a test. A test checks that the stack does not set it. */
export const stripeUrl = (): string | undefined => process.env.STRIPE_URL;

/** Where Apple's push service is, if it is a double. A test checks that the stack does not set it. */
export const applePushUrl = (): string | undefined => process.env.APPLE_PUSH_URL;

/** Where Google's tokens and its Wallet API are, if it is a double. A test checks that the stack does not set it. */
export const googleWalletUrl = (): string | undefined => process.env.GOOGLE_WALLET_URL;

/** The stage, a dimension of all metrics: two stages of one account must not mix. Only tests and the CLI run without one. */
export const stage = (): string => optional('STAGE') ?? 'none';

/** Tests and benchmarks turn the log off. */
export const isLogOff = (): boolean => process.env.LOG === 'off';

/** The release that the function belongs to. `npm run stack` decodes its stack traces. The CLI has none. */
export const release = (): string | undefined => optional('RELEASE');

/** The credentials of the function's role, which Lambda sets for the life of the instance. */
export function roleCredentials() {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = process.env;
  if (!(accessKeyId && secretAccessKey)) throw new Fault("The credentials of the function's role are not set.");
  return { accessKeyId, secretAccessKey, ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }) };
}
