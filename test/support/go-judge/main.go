// Judges a transparency log by Go's own implementation of the checksum database: notes, tiles, inclusion, consistency,
// and a whole export. Arguments: verifier key, base URL of tiles, export, proof, checkpoints from the oldest to the newest.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	verifier, err := note.NewVerifier(os.Args[1])
	check(err)
	var trees []tlog.Tree
	for _, file := range os.Args[5:] {
		trees = append(trees, openCheckpoint(file, verifier))
	}
	newest := trees[len(trees)-1]
	reader := tlog.TileHashReader(newest, tileReader{os.Args[2], map[string][]byte{}})
	proved := 0
	for i, older := range trees {
		for _, newer := range trees[i:] {
			if older.N == 0 {
				continue
			}
			proof, err := tlog.ProveTree(newer.N, older.N, reader)
			check(err)
			check(tlog.CheckTree(proof, newer.N, newer.Hash, older.N, older.Hash))
			proved++
		}
	}
	hashes := hashExport(os.Args[3], leavesByID(os.Args[4]))
	if int64(len(hashes)) != newest.N {
		fail("the export has %d records, the tree %d leaves", len(hashes), newest.N)
	}
	for leaf, hash := range hashes {
		proof, err := tlog.ProveRecord(newest.N, int64(leaf), reader)
		check(err)
		check(tlog.CheckRecord(proof, newest.N, newest.Hash, int64(leaf), hash))
	}
	if root := rootOf(hashes); root != newest.Hash {
		fail("the export has the root %v, the checkpoint %v", root, newest.Hash)
	}
	fmt.Printf("%d consistency proofs, %d records\n", proved, len(hashes))
}

func openCheckpoint(file string, verifier note.Verifier) tlog.Tree {
	text, err := os.ReadFile(file)
	check(err)
	opened, err := note.Open(text, note.VerifierList(verifier))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	if lines[0] != verifier.Name() {
		fail("the checkpoint is of %s", lines[0])
	}
	var tree tlog.Tree
	_, err = fmt.Sscanf(lines[1], "%d", &tree.N)
	check(err)
	tree.Hash, err = tlog.ParseHash(lines[2])
	check(err)
	return tree
}

// tileReader fetches tiles, once each, by the paths of c2sp.org/tlog-tiles.
type tileReader struct {
	base  string
	known map[string][]byte
}

func (tileReader) Height() int                     { return 8 }
func (tileReader) SaveTiles([]tlog.Tile, [][]byte) {}
func (r tileReader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		if data, known := r.known[tile.Path()]; known {
			all = append(all, data)
			continue
		}
		// Go's path has the height first.
		response, err := http.Get(r.base + strings.TrimPrefix(tile.Path(), "tile/8/"))
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != 200 {
			return nil, fmt.Errorf("%s: status %d, %v", tile.Path(), response.StatusCode, err)
		}
		r.known[tile.Path()] = data
		all = append(all, data)
	}
	return all, nil
}

// leavesByID reads the places of records from a proof, and none of its hashes.
func leavesByID(file string) map[string]int {
	leaves := map[string]int{}
	eachLine(file, func(line []byte) {
		var entry []json.RawMessage
		if json.Unmarshal(line, &entry) != nil {
			return
		}
		leaf := 0
		check(json.Unmarshal(entry[0], &leaf))
		leaves[string(entry[1])] = leaf
	})
	return leaves
}

func hashExport(file string, leaves map[string]int) []tlog.Hash {
	hashes := make([]tlog.Hash, len(leaves))
	eachLine(file, func(line []byte) {
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.UseNumber()
		var record map[string]interface{}
		check(decoder.Decode(&record))
		if record["_signature"] != nil {
			return
		}
		leaf, known := leaves[record["id"].(json.Number).String()]
		if !known {
			fail("record %v is no leaf", record["id"])
		}
		hashes[leaf] = tlog.RecordHash(canonical(record))
	})
	return hashes
}

// canonical writes RFC 8785, for names in ASCII and numbers that are integers.
func canonical(value interface{}) []byte {
	object, isObject := value.(map[string]interface{})
	if !isObject {
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		check(encoder.Encode(value))
		return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	}
	var names []string
	for name := range object {
		names = append(names, name)
	}
	sort.Strings(names)
	var members [][]byte
	for _, name := range names {
		members = append(members, append(append(canonical(name), ':'), canonical(object[name])...))
	}
	return append(append([]byte{'{'}, bytes.Join(members, []byte{','})...), '}')
}

func rootOf(hashes []tlog.Hash) tlog.Hash {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var found []tlog.Hash
		for _, index := range indexes {
			found = append(found, stored[index])
		}
		return found, nil
	})
	for leaf, hash := range hashes {
		more, err := tlog.StoredHashesForRecordHash(int64(leaf), hash, reader)
		check(err)
		stored = append(stored, more...)
	}
	root, err := tlog.TreeHash(int64(len(hashes)), reader)
	check(err)
	return root
}

func eachLine(file string, work func([]byte)) {
	opened, err := os.Open(file)
	check(err)
	defer opened.Close()
	scanner := bufio.NewScanner(opened)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		work(scanner.Bytes())
	}
	check(scanner.Err())
}

func check(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func fail(format string, args ...interface{}) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}
