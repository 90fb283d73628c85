import { Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { AVATAR_MAX_PIXELS, avatarUpload } from '@mooring/contract';
import { Failure } from '../feedback/failure.tsx';
import { Image } from '../images/image.tsx';

interface ImageFieldProps {
  /** Name of the image, such as "icon". */
  imageName: string;
  src: string | undefined;
  name: string;
  setting: { isPending: boolean; error: unknown; mutate: (file: File | undefined) => void };
}

/** Shows an image, and replaces or removes it. */
export const ImageField = ({ imageName, src, name, setting }: ImageFieldProps) => (
  <Paper withBorder p="lg" maw={720}>
    <Stack>
      <Group gap="lg" wrap="nowrap">
        <Image src={src} name={name} size={72} />
        <Stack gap="xs">
          <Group gap="sm">
            <FileButton accept={avatarUpload.types.join()} onChange={(file) => file && setting.mutate(file)}>
              {(props) => (
                <Button variant="default" loading={setting.isPending} {...props}>
                  {src ? `Replace ${imageName}` : `Upload ${imageName}`}
                </Button>
              )}
            </FileButton>
            {src && (
              <Button variant="subtle" disabled={setting.isPending} onClick={() => setting.mutate(undefined)}>
                Remove {imageName}
              </Button>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            PNG, JPEG, GIF or WebP; at most {avatarUpload.maxBytes / 2 ** 20} MB and{' '}
            {AVATAR_MAX_PIXELS.toLocaleString()} × {AVATAR_MAX_PIXELS.toLocaleString()} pixels. Anyone with its URL can
            see it.
          </Text>
        </Stack>
      </Group>
      {setting.error != null && <Failure error={setting.error} title={`Couldn't change the ${imageName}`} />}
    </Stack>
  </Paper>
);
