/** The path of the page of the payment sandbox, without the token of the payment. */
export const sandboxPagePath = '/v1/sandbox/payments';
