import * as v from 'valibot';

/** A record as DynamoDB Streams sends it. Lambda uses the same form, except for the ARN of the stream. */
export const StreamRecord = v.looseObject({
  eventName: v.string(),
  dynamodb: v.looseObject({ SequenceNumber: v.string(), ApproximateCreationDateTime: v.optional(v.number()) }),
});

export type StreamRecord = v.InferOutput<typeof StreamRecord>;

export function lambdaRecord(record: StreamRecord, streamArn: string, region: string): Record<string, unknown> {
  return { ...record, awsRegion: region, eventSourceARN: streamArn };
}

export interface FailedBatch {
  shardId: string;
  records: readonly StreamRecord[];
  streamArn: string;
  functionArn: string;
  condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  invokeCount: number;
  nowMs: number;
}

/** The message to a failure destination: the position of the records, not the records. */
export function failureNotice(batch: FailedBatch): Record<string, unknown> {
  const [first] = batch.records;
  const last = batch.records.at(-1);
  const arrival = (record: StreamRecord | undefined) =>
    new Date((record?.dynamodb.ApproximateCreationDateTime ?? batch.nowMs / 1000) * 1000).toISOString();
  return {
    requestContext: {
      requestId: crypto.randomUUID(),
      functionArn: batch.functionArn,
      condition: batch.condition,
      approximateInvokeCount: batch.invokeCount,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: new Date(batch.nowMs).toISOString(),
    DDBStreamBatchInfo: {
      shardId: batch.shardId,
      startSequenceNumber: first?.dynamodb.SequenceNumber,
      endSequenceNumber: last?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: batch.records.length,
      streamArn: batch.streamArn,
    },
  };
}
