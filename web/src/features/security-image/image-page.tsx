import { useUser } from '../../lib/use-client.ts';
import { ImageCard } from './image-card.tsx';

/** `/image`: the person's own security image. */
export function ImagePage() {
  const { image } = useUser();
  return (
    <ImageCard title="Security image" owner={{ orgId: 0, image }}>
      OTP Guard shows you this image whenever it asks for a passkey or a code. A page that does not show it is
      not OTP Guard.
    </ImageCard>
  );
}
