/** The files of a playbook: a tree, and the open file in an editor. */
import { Button } from 'antd'
import { File, FilePlus, Folder, FolderPlus, Save, Undo2 } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { confirm } from '../../kit/confirm.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { CodeArea } from '../../kit/form/widgets/Code.tsx'
import type { CodeLanguage } from '../../kit/form/widgets/code-mirror.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { AssetTree, type TreeHandle } from '../../kit/tree/AssetTree.tsx'
import type { TreeNode } from '../../kit/tree/nodes.ts'
import { TreeBeside } from '../../kit/tree/TreeBeside.tsx'
import { leaveThen, useUnsaved } from '../../kit/unsaved.ts'
import './playbook-workspace.css'

const entry = 'main.yml'

interface Opened {
  key: string
  /** As it is stored. */
  stored: string
  text: string
}

const languageOfFile = (name: string): CodeLanguage =>
  /\.(py)$/.test(name) ? 'python' : /\.(sh|bash)$/.test(name) ? 'shell' : /\.json$/.test(name) ? 'json' : 'yaml'

const isFolder = (node: TreeNode): boolean => node.isParent || node.id === 'root'
const folderOf = (key: string): string => (key.includes('/') ? key.slice(0, key.lastIndexOf('/')) : 'root')
const nameIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

interface NewEntry {
  parent: string
  directory: boolean
}

/** @param fixed the files are only shown: they come from a repository */
export default function PlaybookWorkspace({ id, fixed }: { id: string; fixed: boolean }) {
  const url = `/api/v1/ops/playbook/${id}/file/`
  const [file, setFile] = useState<Opened>()
  const [node, setNode] = useState<TreeNode>()
  const [adding, setAdding] = useState<NewEntry>()
  const [tree, setTree] = useState<TreeHandle>()
  const isChanged = file !== undefined && file.text !== file.stored
  useUnsaved(isChanged)

  const read = useCallback(
    (key: string) =>
      attempt(async () => {
        const { content } = await call<{ content: string }>(url, { query: { key } })
        setFile({ key, stored: content, text: content })
      }),
    [url],
  )
  useEffect(() => void read(entry), [read])

  const select = (chosen: TreeNode | undefined) => {
    if (!chosen) return
    if (isFolder(chosen)) setNode(chosen)
    else if (chosen.id !== file?.key)
      leaveThen(() => {
        setNode(chosen)
        void read(chosen.id)
      })
  }
  const save = () =>
    file &&
    attempt(async () => {
      await call(url, { method: 'PATCH', body: { key: file.key, content: file.text } })
      // What was typed meanwhile stays.
      setFile((now) => now && (now.key === file.key ? { ...now, stored: file.text } : now))
      toast.ok(t('saved'))
    })
  const rename = async ({ id: key, isParent }: TreeNode, name: string) => {
    await call(url, { method: 'PATCH', body: { key, new_name: name, is_directory: isParent } })
    if (file?.key === key) setFile({ ...file, key: folderOf(key) === 'root' ? name : `${folderOf(key)}/${name}` })
    tree?.reload()
  }
  const move = async ({ id: key, isParent }: TreeNode, target: TreeNode) => {
    const folder = isFolder(target) ? target.id : folderOf(target.id)
    const moved = folder === 'root' ? nameIn(key) : `${folder}/${nameIn(key)}`
    // A new name is relative to the folder of the file.
    const up = folderOf(key) === 'root' ? '' : '../'.repeat(folderOf(key).split('/').length)
    await call(url, { method: 'PATCH', body: { key, new_name: up + moved, is_directory: isParent } })
    if (file?.key === key) setFile({ ...file, key: moved })
  }
  const remove = ({ id: key, name }: TreeNode, handle: TreeHandle) =>
    confirm({
      title: t('deleteTitle', { noun: t('playbookFile') }),
      text: t('deleteText', { name }),
      verb: t('delete'),
      danger: true,
      run: async () => {
        await call(url, { method: 'DELETE', query: { key } })
        if (file && (file.key === key || file.key.startsWith(`${key}/`))) setFile(undefined)
        handle.reload()
      },
    })
  const menu = (chosen: TreeNode, handle: TreeHandle) => {
    const parent = isFolder(chosen) ? chosen.id : folderOf(chosen.id)
    const add = (directory: boolean) => () => {
      setTree(handle)
      setAdding({ parent, directory })
    }
    const isFixed = chosen.id === 'root' || chosen.id === entry
    return [
      { key: 'file', label: t('fileNew'), icon: <FilePlus size={14} />, onClick: add(false) },
      { key: 'folder', label: t('folderNew'), icon: <FolderPlus size={14} />, onClick: add(true) },
      ...(isFixed
        ? []
        : [
            {
              key: 'rename',
              label: t('rename'),
              onClick: () => {
                setTree(handle)
                handle.rename(chosen)
              },
            },
            { key: 'delete', label: t('delete'), danger: true, onClick: () => remove(chosen, handle) },
          ]),
    ]
  }
  return (
    <>
      <TreeBeside
        id="PlaybookWorkspace"
        chosen={node}
        onChoose={select}
        tree={(choose) => (
          <AssetTree
            url={url}
            whole
            searchable={false}
            selected={file?.key}
            onSelect={choose}
            {...(fixed ? {} : { menu, onRename: rename, onMove: move })}
            icon={(one) => (isFolder(one) ? <Folder size={14} /> : <File size={14} />)}
          />
        )}
      >
        {file ? (
          <div className="workspace">
            <div className="workspace-bar">
              <b className="mono clip">
                {file.key}
                {isChanged && <span title={t('unsaved')}> M</span>}
              </b>
              <span className="grow" />
              <Button
                icon={<Undo2 size={14} />}
                disabled={!isChanged}
                onClick={() => setFile({ ...file, text: file.stored })}
              >
                {t('reset')}
              </Button>
              <Button type="primary" icon={<Save size={14} />} disabled={!isChanged} onClick={() => void save()}>
                {t('save')}
              </Button>
            </div>
            <CodeArea
              key={file.key}
              aria={{ 'aria-labelledby': 'workspace-file' }}
              text={file.text}
              language={languageOfFile(file.key)}
              invalid={false}
              disabled={fixed}
              onChange={(text) => setFile((old) => old && { ...old, text })}
            />
            <span id="workspace-file" hidden>
              {file.key}
            </span>
          </div>
        ) : (
          <p className="muted">{t('fileNone')}</p>
        )}
      </TreeBeside>
      {adding && (
        <FormDialog
          title={t(adding.directory ? 'folderNew' : 'fileNew')}
          onClose={() => setAdding(undefined)}
          spec={{
            url: `${url}new`,
            noun: 'playbookFile',
            submit: { verb: 'create' },
            local: {
              fields: { name: { type: 'string', label: t('name'), required: true, max_length: 128 } },
              save: async ({ name }) => {
                const made = await call<TreeNode>(url, {
                  method: 'POST',
                  body: { key: adding.parent, is_directory: adding.directory, name },
                })
                tree?.reload()
                if (!adding.directory && !isChanged) void read(made.id)
                return { id: made.id }
              },
            },
            groups: [{ key: 'basic', title: 'groupBasic', fields: ['name'] }],
          }}
        />
      )}
    </>
  )
}
