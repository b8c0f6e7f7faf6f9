// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache/chain.h"
#include "cache/memory_cache.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace kiln::cache {
namespace {

Entry entry_of(std::string_view text) {
  ByteView bytes = as_bytes(text);
  return Entry{Bytes(bytes.begin(), bytes.end()), {}};
}
EntryPtr shared_entry(std::string_view text) {
  return std::make_shared<const Entry>(entry_of(text));
}

KeyFields some_fields() {
  static const uint32_t words[] = {0x07230203, 1, 2, 3};
  KeyFields fields;
  fields.unit = "kernel";
  fields.kernel = "saxpy";
  fields.target = "gfx942";
  fields.compiler = "kiln 1";
  fields.words = words;
  return fields;
}

TEST(Key, EveryFieldMatters) {
  const Key base = make_key(some_fields());
  EXPECT_EQ(base, make_key(some_fields()));
  static const uint32_t other_words[] = {0x07230203, 1, 2, 4};
  const std::vector<std::function<void(KeyFields&)>> changes = {
      [](KeyFields& f) { f.unit = "globals"; },        [](KeyFields& f) { f.kernel = "saxpy2"; },
      [](KeyFields& f) { f.target = "gfx950"; },       [](KeyFields& f) { f.wave_size = 64; },
      [](KeyFields& f) { f.opt_level = 0; },           [](KeyFields& f) { f.code_object_version = 6; },
      [](KeyFields& f) { f.compiler = "kiln 2"; },     [](KeyFields& f) { f.words = other_words; },
      [](KeyFields& f) { f.words = f.words.first(3); }};
  for (size_t at = 0; at < changes.size(); ++at) {
    KeyFields fields = some_fields();
    changes[at](fields);
    EXPECT_NE(base, make_key(fields)) << "change " << at;
  }
}

Key key_of(uint32_t number) {
  KeyFields fields = some_fields();
  fields.wave_size = number;
  return make_key(fields);
}

TEST(MemoryCache, DropsLeastRecentlyUsedAboveItsSize) {
  MemoryCache cache(10);
  cache.put(key_of(1), shared_entry("aaaa"));
  cache.put(key_of(2), shared_entry("bbbb"));
  ASSERT_TRUE(cache.get(key_of(1))); // 2 is now the older one
  cache.put(key_of(3), shared_entry("cccc"));
  EXPECT_TRUE(cache.get(key_of(1)));
  EXPECT_FALSE(cache.get(key_of(2)));
  EXPECT_TRUE(cache.get(key_of(3)));
}

TEST(MemoryCache, ReplacingAnEntryDoesNotCountItTwice) {
  MemoryCache cache(10);
  cache.put(key_of(1), shared_entry("aaaa"));
  cache.put(key_of(2), shared_entry("bbbb"));
  cache.put(key_of(2), shared_entry("BBBBBB"));
  EXPECT_TRUE(cache.get(key_of(1)));
  EXPECT_EQ(as_text(cache.get(key_of(2))->image), "BBBBBB");
}

struct NamedCache : Tier {
  explicit NamedCache(std::string_view name) : name_(name) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] EntryPtr get(const Key& key) override { return store.get(key); }
  void put(const Key& key, const EntryPtr& entry) override { store.put(key, entry); }
  std::string_view name_;
  MemoryCache store;
};

TEST(Chain, AFarHitIsPutIntoNearerTiers) {
  auto near = std::make_unique<NamedCache>("near");
  auto far = std::make_unique<NamedCache>("far");
  far->put(key_of(1), shared_entry("code"));
  Chain chain;
  chain.append(std::move(near));
  chain.append(std::move(far));
  const Chain::Make never = []() -> Result<Entry> {
    ADD_FAILURE() << "made what was there";
    return entry_of("");
  };
  EXPECT_EQ(chain.get_or_make(key_of(1), never)->tier, "far");
  auto again = chain.get_or_make(key_of(1), never);
  EXPECT_EQ(again->tier, "near");
  EXPECT_EQ(as_text(again->entry->image), "code");
}

TEST(Chain, ManyThreadsMakeItOnce) {
  Chain chain;
  chain.append(std::make_unique<MemoryCache>());
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      auto found = chain.get_or_make(key_of(1), [&]() -> Result<Entry> {
        ++made;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return entry_of("once");
      });
      ASSERT_TRUE(found);
      EXPECT_EQ(as_text(found->entry->image), "once");
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(made, 1);
}

TEST(Chain, AFailureIsNotKept) {
  Chain chain;
  chain.append(std::make_unique<MemoryCache>());
  auto failed = chain.get_or_make(key_of(1), []() -> Result<Entry> { return Error{ErrorCode::compile_failed, "no"}; });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::compile_failed);
  auto made = chain.get_or_make(key_of(1), []() -> Result<Entry> { return entry_of("yes"); });
  ASSERT_TRUE(made);
  EXPECT_EQ(made->tier, "");
}

} // namespace
} // namespace kiln::cache
