import { Code, Group, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReleaseDetails } from '../../api/releases/releases.ts';
import { QrImage } from '../../components/images/qr-image.tsx';
import { Section } from '../../components/layout/page.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { DescriptionList } from '../../components/text/description-list.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { formatSize } from '../../components/text/format-size.ts';
import { useCurrentApp } from '../../context/permissions.ts';

/** Install link and QR code for the user's own device. */
export function InstallLink({ release: { install_page_url } }: { release: ReleaseDetails }) {
  if (!install_page_url) return null;
  return (
    <Section title="Install release">
      <Group align="center" gap="lg">
        <QrImage value={install_page_url} label="QR code of the install page" size={112} />
        <Stack gap={4} miw={0} flex={1}>
          <Text size="sm">
            Scan the code with your device. Until it expires, anyone with this link can install the release without
            signing in.
          </Text>
          <Copyable value={install_page_url} label="install link" />
        </Stack>
      </Group>
    </Section>
  );
}

export function ReleasePackage({ release }: { release: ReleaseDetails }) {
  const { app } = useCurrentApp();
  const { permissions = [], architectures = [], build } = release;
  const items: [string, string | number | undefined][] = [
    ['Release', release.id],
    ['Identifier', release.bundle_identifier],
    ['Size', formatSize(release.size)],
    ['File type', release.fileExtension && `.${release.fileExtension}`],
    [
      `Minimum ${app.os}`,
      release.min_os &&
        `${release.min_os}${release.android_min_api_level ? ` (API ${release.android_min_api_level})` : ''}`,
    ],
    ['Devices', release.device_family],
    ['Architectures', architectures.join(', ')],
    ['Downloads', (release.download_count ?? 0).toLocaleString()],
    ['Commit message', build?.commit_message],
  ];
  return (
    <Section title="Package">
      <DescriptionList
        items={[
          ...items.filter(([, value]) => value !== undefined && value !== ''),
          ['SHA-256', <Copyable key="sha" value={release.fingerprint} label="SHA-256 of the file" />],
          ...(release.certificate_fingerprint
            ? [
                [
                  'Signed with (SHA-256)',
                  <Copyable
                    key="certificate"
                    value={release.certificate_fingerprint}
                    label="certificate fingerprint"
                  />,
                ] satisfies [string, ReactNode],
              ]
            : []),
        ]}
      />
      {permissions.length > 0 && (
        <details>
          <summary>{formatCount(permissions.length, 'permission')}</summary>
          <List size="sm" mt="xs">
            {permissions.map((permission) => (
              <List.Item key={permission}>
                <Code>{permission}</Code>
              </List.Item>
            ))}
          </List>
        </details>
      )}
    </Section>
  );
}
