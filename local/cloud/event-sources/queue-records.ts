import * as v from 'valibot';

const MessageAttribute = v.object({
  DataType: v.string(),
  StringValue: v.optional(v.string()),
  BinaryValue: v.optional(v.string()),
});

export const Message = v.object({
  MessageId: v.string(),
  ReceiptHandle: v.string(),
  Body: v.string(),
  MD5OfBody: v.string(),
  MD5OfMessageAttributes: v.optional(v.string()),
  Attributes: v.optional(v.record(v.string(), v.string()), {}),
  MessageAttributes: v.optional(v.record(v.string(), MessageAttribute), {}),
});

export type Message = v.InferOutput<typeof Message>;

/** A message in the form of the Lambda event. */
export function queueRecord(message: Message, queueArn: string, region: string): Record<string, unknown> {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes,
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes).map(([name, attribute]) => [
        name,
        {
          ...(attribute.StringValue !== undefined && { stringValue: attribute.StringValue }),
          ...(attribute.BinaryValue !== undefined && { binaryValue: attribute.BinaryValue }),
          stringListValues: [],
          binaryListValues: [],
          dataType: attribute.DataType,
        },
      ]),
    ),
    md5OfBody: message.MD5OfBody,
    ...(message.MD5OfMessageAttributes !== undefined && { md5OfMessageAttributes: message.MD5OfMessageAttributes }),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  };
}
