import { describePaymentHistories } from '../../support/payment-histories.ts';

describePaymentHistories(3);
