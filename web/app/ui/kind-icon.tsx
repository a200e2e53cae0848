import {
  AppWindow,
  BookOpen,
  CodeXml,
  File,
  FileArchive,
  FileText,
  FileType,
  Folder,
  Image,
  Magnet,
  Music,
  NotebookText,
  Presentation,
  Sheet,
  SquarePlay,
  Type,
  type LucideIcon,
} from 'lucide-react';
import type { FileCategory } from '@bowerbird/contract';

const icons: Record<FileCategory, LucideIcon> = {
  folder: Folder,
  image: Image,
  video: SquarePlay,
  audio: Music,
  document: FileText,
  sheet: Sheet,
  slides: Presentation,
  pdf: FileType,
  archive: FileArchive,
  code: CodeXml,
  text: NotebookText,
  torrent: Magnet,
  app: AppWindow,
  book: BookOpen,
  font: Type,
  other: File,
};

/** Icon of a kind of file. */
export function KindIcon({
  category,
  size = 18,
  className,
}: {
  category: FileCategory;
  size?: number;
  className?: string;
}) {
  const Icon = icons[category];
  return <Icon aria-hidden="true" style={{ width: size, height: size }} className={className} />;
}
