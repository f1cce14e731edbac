import { NestedStack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Alarms, type AlarmsProps } from '../constructs/alarms.ts';
import { ServiceDashboard, type ServiceDashboardProps } from '../constructs/service-dashboard.ts';
import { nameNestedStack } from './nested-stack-name.ts';

/** The alarms and the dashboard. The release alarms are in the stack of their function, because the release refers to them. */
export class MonitoringStack extends NestedStack {
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, { stage, topics }: AlarmsProps) {
    super(scope, id, { description: `Gateline (${stage}): alarms and dashboard` });
    nameNestedStack(this, id);
    this.alarms = new Alarms(this, 'Alarms', { stage, topics });
  }

  addDashboard(props: ServiceDashboardProps): ServiceDashboard {
    return new ServiceDashboard(this, 'Dashboard', props);
  }
}
