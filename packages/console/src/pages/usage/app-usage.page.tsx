import { useState } from 'react';
import { type Period, useAppUsage } from '../../api/administration/usage.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { UsagePage } from './usage.tsx';

export default function AppUsagePage() {
  const { app, appRef } = useCurrentApp();
  const [period, setPeriod] = useState<Period>('Current');
  const query = useAppUsage(appRef, period);
  return (
    <UsagePage
      description={`Storage, devices and minutes used by ${app.display_name}.`}
      query={query}
      period={period}
      onPeriod={setPeriod}
    />
  );
}
