import { Code, Group, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReleaseDetails } from '../../api/releases.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { QrImage } from '../../parts/qr-image.tsx';
import { sizeInWords } from '../../parts/size-words.ts';

/** For whoever wants to have it on a phone at once. */
export function InstallLink({ release: { install_page_url } }: { release: ReleaseDetails }) {
  if (!install_page_url) return null;
  return (
    <Part title="Install it">
      <Group align="center" gap="lg">
        <QrImage value={install_page_url} label="QR code of the install page" size={112} />
        <Stack gap={4} miw={0} flex={1}>
          <Text size="sm">
            Scan the code with the device that it is for. Whoever has this link can install the release without signing
            in, for a while.
          </Text>
          <Copyable value={install_page_url} label="the link to the install page" />
        </Stack>
      </Group>
    </Part>
  );
}

export function ReleasePackage({ release }: { release: ReleaseDetails }) {
  const { app } = useAppHere();
  const { permissions = [], architectures = [], build } = release;
  const items: [string, string | number | undefined][] = [
    ['Release', release.id],
    ['Identifier', release.bundle_identifier],
    ['Size', sizeInWords(release.size)],
    ['Kind', release.fileExtension && `.${release.fileExtension}`],
    [
      `Minimum ${app.os}`,
      release.min_os &&
        `${release.min_os}${release.android_min_api_level ? ` (API ${release.android_min_api_level})` : ''}`,
    ],
    ['Devices', release.device_family],
    ['Architectures', architectures.join(', ')],
    ['Downloads', (release.download_count ?? 0).toLocaleString()],
    ['Branch', build?.branch_name],
    ['Commit', build?.commit_hash?.slice(0, 12)],
    ['Commit message', build?.commit_message],
  ];
  return (
    <Part title="Package">
      <DescriptionList
        items={[
          ...items.filter(([, value]) => value !== undefined && value !== ''),
          ['SHA-256', <Copyable key="sha" value={release.fingerprint} label="the SHA-256 of the file" />],
          ...(release.certificate_fingerprint
            ? [
                [
                  'Signed with (SHA-256)',
                  <Copyable key="certificate" value={release.certificate_fingerprint} label="the certificate" />,
                ] satisfies [string, ReactNode],
              ]
            : []),
        ]}
      />
      {permissions.length > 0 && (
        <details>
          <summary>
            Asks for {permissions.length === 1 ? 'one permission' : `${permissions.length} permissions`}
          </summary>
          <List size="sm" mt="xs">
            {permissions.map((permission) => (
              <List.Item key={permission}>
                <Code>{permission}</Code>
              </List.Item>
            ))}
          </List>
        </details>
      )}
    </Part>
  );
}
