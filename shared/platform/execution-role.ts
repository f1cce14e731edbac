import { roleCredentials } from './env.ts';

/**
 * Replaces the SDK's credential provider chain in every bundle (lib/bundle.ts). A function has its role's credentials in its
 * environment and nowhere else. The SDK would also search profiles, SSO caches and metadata services, and that code would be a
 * fifth of a bundle.
 */
export const defaultProvider = () => async () => roleCredentials();
