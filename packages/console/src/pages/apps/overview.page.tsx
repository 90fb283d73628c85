import { Text } from '@mantine/core';
import { inWords } from '../../parts/choice.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';

export default function OverviewPage() {
  const { app, permission } = useAppHere();
  return (
    <Page title="Overview" lead={app.description}>
      <DescriptionList
        facts={[
          [
            'Address in the API',
            <Copyable key="address" value={`${app.owner.name}/${app.name}`} label="the address" />,
          ],
          ['App secret', <Copyable key="secret" value={app.app_secret} label="the app secret" />],
          ['Your permission', inWords(permission)],
          ['Operating system', app.os],
          ['Platform', app.platform],
          ['Release type', app.release_type ?? '—'],
          ['Owner', app.owner.display_name],
          ['Created', app.created_at ? <Time key="created" at={app.created_at} /> : '—'],
          ['Last changed', app.updated_at ? <Time key="updated" at={app.updated_at} /> : '—'],
        ]}
      />
      <Text size="sm" c="dimmed">
        The app secret is built into the app, where its SDKs send it along. It gives no access to this console or the
        API.
      </Text>
    </Page>
  );
}
