import { useState } from 'react';
import { type Period, useOrgUsage } from '../../api/administration/usage.ts';
import { useCurrentOrg } from '../../context/permissions.ts';
import { UsagePage } from './usage.tsx';

export default function OrgUsagePage() {
  const { org } = useCurrentOrg();
  const [period, setPeriod] = useState<Period>('Current');
  const query = useOrgUsage(org.name, period);
  return (
    <UsagePage
      description="Storage, devices and minutes used by the apps of this organization."
      query={query}
      period={period}
      onPeriod={setPeriod}
    />
  );
}
