import { Fault } from './fault.ts';

/**
 * The variables that a function reads, one function each, so that a bundle holds the names of exactly those it uses:
 * a test compares them with what the stack sets. Nothing else in functions/ and shared/ reads the environment.
 */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Fault(`The environment variable ${name} is not set.`);
  return value;
}

export const tableName = (): string => required('TABLE_NAME');
export const secretArn = (): string => required('SECRET_ARN');
/** `sandbox`, or the ARN of the secret that holds Stripe's key. */
export const payments = (): string => required('PAYMENTS');
export const busName = (): string => required('BUS_NAME');
export const deliveriesUrl = (): string => required('DELIVERIES_URL');
export const retriesUrl = (): string => required('RETRIES_URL');
export const backlogsUrl = (): string => required('BACKLOGS_URL');

/**
 * Whether webhooks may go to this very machine, over http too. Only the local run sets it; what is deployed must never be
 * talked into calling itself, and a test says that the stack does not set it.
 */
export const allowsLoopbackReceivers = (): boolean => process.env.LOOPBACK_RECEIVERS === 'allowed';

/** Tests and measurements look at what functions do, not at what they say meanwhile. */
export const isLogOff = (): boolean => process.env.LOG === 'off';

/** The trace that Lambda counts the invocation to: `Root=1-…;Parent=…;Sampled=1`. */
export const traceId = (): string | undefined => /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1];

/** What Lambda itself gives a function: the credentials of its role, for as long as the instance lives. */
export function roleCredentials() {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = process.env;
  if (!(accessKeyId && secretAccessKey)) throw new Fault("The credentials of the function's role are not set.");
  return { accessKeyId, secretAccessKey, ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }) };
}
