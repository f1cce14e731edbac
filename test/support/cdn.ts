import { createHash } from 'node:crypto';

export const cdnSecret = 'a secret that only the CDN knows';

/** A CDN in front of the API, as a stage configures it. */
export const testCdn = {
  addressHeader: 'CloudFront-Viewer-Address',
  secretHeader: 'X-Origin-Secret',
  secretHashes: [createHash('sha256').update(cdnSecret).digest('hex')],
};

/** The headers that the CDN adds to the request of a client. */
export const throughCdn = (address: string, secret = cdnSecret) => ({
  'CloudFront-Viewer-Address': address,
  'X-Origin-Secret': secret,
});
