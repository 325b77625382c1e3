import { useUser } from '../../lib/use-client.ts';
import { ImageEditor } from './image-editor.tsx';

/** `/image`: the person's own security image. */
export function ImagePage() {
  const { image } = useUser();
  return (
    <ImageEditor title="Security image" subject={{ orgId: 0, image }}>
      OTP Guard shows you this image whenever it asks for a passkey or a code. If a page doesn't show it, it
      isn't OTP Guard.
    </ImageEditor>
  );
}
