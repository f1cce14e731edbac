import { describePaymentHistories } from '../../support/payment-histories.ts';
import { amount } from '../../support/thorough.ts';

describePaymentHistories(amount(3, 25));
