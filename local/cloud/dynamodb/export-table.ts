import { CloudError } from '../cloud-error.ts';

/**
 * Every row of a table as it is at one moment, in the lines that DynamoDB's export to S3 writes: `{"Item":{"pk":{"S":"…"}}}`. The
 * launcher of DynamoDB Local reads them: a Scan could contain one half of a transaction and not the other.
 */
export async function openExport(endpoint: string, tableName: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(`${endpoint}/export/${tableName}`);
  if (!response.ok || response.body === null) throw new CloudError(await response.text());
  return response.body;
}
