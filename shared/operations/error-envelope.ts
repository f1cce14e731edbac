import * as v from 'valibot';

const nullableText = v.nullable(v.string());

const ErrorDetail = v.strictObject({
  code: v.string(),
  message: v.string(),
  param: v.pipe(nullableText, v.description('The parameter to change, where one can be named.')),
});

/** The shape of every answer that is not a success. */
export const ErrorEnvelope = v.pipe(
  v.strictObject({
    error: v.strictObject({
      type: v.pipe(v.string(), v.description('The kind of problem; all codes of a kind are handled alike.')),
      code: v.pipe(
        v.string(),
        v.description('The exact problem, one of those named with the status; stable, meant for programs.'),
      ),
      message: v.pipe(v.string(), v.description('What is wrong and what to change; meant for people.')),
      param: v.pipe(nullableText, v.description('The parameter to change, where one can be named.')),
      request_id: v.pipe(v.string(), v.description('Names this request in our log; also in the header Request-Id.')),
    }),
    errors: v.optional(
      v.pipe(
        v.array(ErrorDetail),
        v.description('Present when several things are wrong: all of them, the first one included.'),
      ),
    ),
  }),
  v.title('Error'),
);
export type ErrorEnvelope = v.InferOutput<typeof ErrorEnvelope>;
