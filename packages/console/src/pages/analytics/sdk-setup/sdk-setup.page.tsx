import { useIngestion } from '../../../api/telemetry/ingestion.ts';
import { QueryBoundary } from '../../../components/feedback/query-boundary.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { SdkSetup } from './sdk-setup.tsx';

export default function SdkSetupPage() {
  const { appRef } = useCurrentApp();
  const ingestion = useIngestion(appRef);
  return (
    <Page title="SDK setup" description="Send analytics and crash reports from your app.">
      <QueryBoundary query={ingestion}>{(data) => <SdkSetup ingestion={data} />}</QueryBoundary>
    </Page>
  );
}
