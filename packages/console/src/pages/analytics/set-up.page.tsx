import { useIngestion } from '../../api/ingestion.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { FirstData } from './first-data.tsx';

export default function SetUpPage() {
  const { appRef } = useAppHere();
  const ingestion = useIngestion(appRef);
  return (
    <Page title="SDK setup" lead="How an app sends its data here.">
      <Loaded reading={ingestion}>{(came) => <FirstData ingestion={came} />}</Loaded>
    </Page>
  );
}
