import { roleCredentials } from './env.ts';

/**
 * Stands in every bundle in the place of the SDK's search for credentials (lib/bundle.ts). A function has its role's in its
 * environment and nowhere else; the SDK would look into profiles, SSO caches and metadata services too, and brings a fifth of
 * a bundle for it.
 */
export const defaultProvider = () => async () => roleCredentials();
